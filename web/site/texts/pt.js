// Português: todos os textos da página.

import games from './pt-games.js';

export default {
  page: {
    tagline: 'Cinco jogos de tabuleiro para dois',
    tagline_more: 'Regras simples, jogo profundo. Escolha um tabuleiro, ache um adversário da sua força e comece.',
    skip: 'Ir para o conteúdo', home: 'Página inicial', nav_play: 'Jogar', nav_games: 'Partidas', nav_study: 'Estudo',
    language: 'Idioma', theme: 'Claro ou escuro', play: 'Jogar', rules: 'Regras', learn: 'Primeira partida', continue_game: 'Suas partidas',
    vs: '{a} contra {b}', plies: ['{count} lance', '{count} lances'], new_game: 'Nova partida', new_game_of: 'Nova partida de {game}',
    start: 'Começar', cancel: 'Cancelar', close: 'Fechar', cancelled: 'Cancelado',
    opponent: 'Adversário', opponent_engine: 'Programa', opponent_here: 'Pessoa aqui', opponent_link: 'Pessoa por link', opponent_watch: 'Ver programas',
    strength: 'Força', level_1: 'Primeiros passos', level_2: 'Iniciante', level_3: 'Casual', level_4: 'Firme', level_5: 'Clube', level_6: 'Experiente', level_7: 'Forte', level_8: 'Especialista', level_9: 'Mestre', level_10: 'Tudo o que tem',
    kind: 'Tipo', agent_level: 'Programa, nível {level}', agent_levels: 'Programa com níveis', agent_classic: 'Agente clássico', agent_mcts: 'Monte Carlo', agent_random: 'Lances ao acaso', agent_near: 'Ao acaso, junto às pedras',
    you_play: 'Você joga com', side_random: 'Sorteio', variant: 'Regras', who_begins: 'Quem começa', by_lot: 'Sorteio', clock: 'Relógio', no_clock: 'Sem relógio', clock_of: '{minutes} min + {seconds} s',
    your_name: 'Seu nome', you: 'Você', to_move: 'Vez de {side}', your_turn: 'Sua vez', thinking: 'pensando…', waiting_for_player: 'esperando um jogador…',
    empty: 'vazia', goal_of: 'meta de {side}', last_move: 'último lance', winning_cell: 'vencedora', selected: 'escolhida', can_be_chosen: 'pode ser escolhida',
    chosen: ['{cell} escolhida, {count} casa para seguir', '{cell} escolhida, {count} casas para seguir'], not_playable: '{cell} não pode ser jogada',
    board_of: 'Tabuleiro de {game}. As setas percorrem as casas, Enter escolhe, Esc cancela.',
    played: '{side}: {move}.', passes: '{side} não tem lance e precisa passar.', moves: 'Lances', no_moves_yet: 'Nenhum lance ainda', start_position: 'Início',
    step_first: 'Ao início', step_back: 'Um lance atrás', step_on: 'Um lance adiante', step_last: 'Ao fim', flip: 'Girar o tabuleiro', undo: 'Voltar lance', resign: 'Desistir', resign_sure: 'Desistir mesmo?', draw: 'Propor empate',
    rematch: 'Revanche', rematch_waiting: 'Revanche proposta…', rematch_offered: 'O adversário quer revanche', hint: 'Dica', hint_is: 'Dica: {move}', analyse: 'Analisar', type_move: 'Digite um lance', play_move: 'Jogar', show_targets: 'Mostrar lances legais',
    wins: '{side} ganha', drawn: 'Empate', you_win: 'Você ganhou', you_lose: 'Você perdeu', undo_asked: '{name} pede para voltar um lance', draw_offered: '{name} propõe empate', offer_sent: 'Proposto. Esperando resposta…', accept: 'Aceitar', decline: 'Recusar',
    invite: 'Envie este link a um amigo. Quem o abrir primeiro ocupa o outro lugar.', copy: 'Copiar', copied: 'Copiado', join_title: 'Você foi convidado para uma partida de {game}', join: 'Sentar e jogar', watch_only: 'Só assistir', watching: 'Você está assistindo',
    reconnecting: 'Conexão perdida, tentando de novo…', offline: 'O servidor não responde.', place_here: 'Jogar {move}', pause: 'Pausar', go_on: 'Continuar', step: 'Um lance', speed: 'Pausa entre lances',
    share: 'Compartilhar e exportar', share_game: 'Endereço desta partida', share_position: 'Endereço desta posição', position_text: 'Posição', move_list: 'Lista de lances', record_file: 'Arquivo da partida', picture_svg: 'Imagem (SVG)', picture_png: 'Imagem (PNG)',
    not_found: 'Não há nada aqui', not_found_more: 'O endereço pode estar incompleto, ou a partida foi esquecida.', to_start_page: 'À página inicial',
    study_which: 'Monte qualquer posição, experimente lances e veja o que o programa pensa.', back_to_game: 'Voltar à partida', play_from_here: 'Jogar daqui', review: 'Achar erros', review_done: 'Todos os lances foram revistos.', branches: 'Outros lances tentados aqui:',
    analysis_waiting: 'Esperando um programa livre…', analysis_depth: 'Profundidade {depth}, {nodes} posições, {seconds} s', win_in: ['ganha em {count}', 'ganha em {count}'], loss_in: ['perde em {count}', 'perde em {count}'], exactly: '{score} exato', chance_of: '{side} na frente, {chance}', graph_of: 'Chances de {side} ao longo da partida',
    import: 'Importar', import_text: 'Posição, lista de lances ou partida', import_file: 'Ou um arquivo de partida', import_do: 'Abrir', import_wrong: 'Isto não é partida, nem posição, nem lista de lances.', import_large: 'Este arquivo é grande demais.',
    all_games: 'Todos os jogos', other_games: 'Outras partidas neste servidor', no_games: 'Nenhuma ainda', under_way: 'em andamento', variants: 'Regras e variantes', draw_by_repetition: 'Uma posição que ocorre {count} vezes é empate.', draw_by_length: 'Depois de {count} lances a partida é empate.',
    not_yet: '{move} é um lance legal, mas há algo melhor aqui.', try_again: 'Tentar de novo', next_lesson: 'Próxima', lesson_number: 'Lição {number}',
  },
  words: {
    Black: 'Pretas', White: 'Brancas', Blue: 'Azul', Red: 'Vermelho', Light: 'Claras', Dark: 'Escuras', You: 'Você',
    time: 'por tempo', resigned: 'por desistência', 'draw agreed': 'de comum acordo', 'engine failed': 'o programa falhou',
    'third repetition': 'terceira repetição', 'ply limit': 'limite de lances', 'no legal move': 'sem lance legal', 'most discs': 'mais discos', 'five in a row': 'cinco em linha', 'five captures': 'cinco capturas', 'board full': 'tabuleiro cheio', 'board emptied': 'tabuleiro esvaziado', 'goal reached': 'meta alcançada', 'all stones blocked': 'todas as pedras bloqueadas', 'no stones left': 'sem pedras', 'three captured': 'três capturadas', 'four captured': 'quatro capturadas', 'five captured': 'cinco capturadas',
    discs: 'discos', score: 'pontos', captures: 'capturas', stones: 'pedras', 'fewest on a board': 'mínimo num tabuleiro', blocked: 'bloqueadas',
  },
  games,
};
