// Português: o que se diz de cada jogo além do que o servidor sabe.

export default {
  othello: {
    pitch: 'Cerque o adversário e vire os discos dele. Nada está seguro antes dos cantos.',
    origin: 'Goro Hasegawa, 1971',
    rulesets: {
      '8x8': { name: '8×8', summary: 'o jogo' },
      '6x6': { name: '6×6', summary: 'em 6×6 casas' },
      '4x4': { name: '4×4', summary: 'em 4×4 casas' },
    },
    steps: ['Escolha uma casa: cada ponto vira pelo menos um disco.'],
    rules: [
      {
        title: 'Objetivo',
        text: ['Ter mais discos da sua cor quando ninguém puder mais jogar.'],
        figure: 0,
        caption: 'O início. As pretas começam; os pontos mostram onde podem jogar.',
      },
      {
        title: 'A jogada',
        text: [
          'Coloque um disco numa casa vazia de modo que uma linha reta de um ou mais discos inimigos fique entre ' +
            'ele e outro disco seu. As linhas correm nas oito direções.',
          'Todos os discos inimigos dessas linhas, em todas as direções, passam a ser seus.',
        ],
        figure: 1,
        caption: 'As pretas jogaram d3 e viraram d4.',
      },
      {
        title: 'Passar',
        text: [
          'Quem não pode virar nenhum disco passa; quem pode, não passa. Aqui o passe forçado é feito por você e ' +
            'anunciado.',
        ],
      },
      {
        title: 'O fim',
        text: [
          'Quando nenhum lado pode jogar, contam-se os discos. Números iguais dão empate.',
          'Um disco no canto nunca mais é virado: os cantos valem muito.',
        ],
        figure: 2,
        caption: 'a1 está aberto às pretas: um canto e dois discos virados.',
      },
    ],
    lessons: [
      {
        title: 'A primeira jogada',
        task: 'Faça qualquer jogada legal: um disco que prenda um branco entre dois pretos.',
        done: 'Uma jogada é só isso. O disco do meio mudou de cor.',
      },
      {
        title: 'Três lados de uma vez',
        task: 'Uma casa vira discos em três direções. Encontre-a.',
        done: 'Todas as linhas contam, em todas as direções ao mesmo tempo.',
      },
      {
        title: 'O canto',
        task: 'Tome o canto: um disco ali nunca mais é virado.',
        done: 'Os cantos, e os discos junto ao seu canto, são seus até o fim.',
      },
    ],
    refusals: {
      'othello.squares': 'o tabuleiro tem {count} casas; esperavam-se {expected}',
      'othello.no_square': '{text} não é uma casa de a1 a {last}, nem pass',
      'othello.flips_nothing': '{cell} não vira nada para {side}',
    },
  },
  pente: {
    pitch: 'Cinco em linha ou cinco pares capturados. Ataque e defesa em cada pedra.',
    origin: 'Gary Gabrel, 1977',
    rulesets: {
      tournament: {
        name: 'Torneio',
        summary: 'a primeira pedra branca no centro, a segunda a pelo menos 3 interseções dele',
      },
      free: { name: 'Livre', summary: 'sem restrição às pedras brancas' },
    },
    steps: ['Escolha uma interseção vazia.'],
    rules: [
      {
        title: 'Objetivo',
        text: ['Fazer cinco ou mais pedras em linha, em qualquer direção, ou capturar cinco pares.'],
        figure: 2,
        caption: 'As brancas têm quatro em linha e ganham em qualquer dos pontos.',
      },
      {
        title: 'A jogada',
        text: [
          'Ponha uma pedra em qualquer interseção vazia. As pedras não se movem.',
          'Nas regras de torneio a primeira pedra branca vai ao centro e a segunda fica a pelo menos três ' +
            'interseções dele.',
        ],
        figure: 0,
        caption: 'Um começo. O par preto na diagonal corre perigo em 9N.',
      },
      {
        title: 'Capturar',
        text: [
          'Se a sua nova pedra e outra sua cercam exatamente duas pedras inimigas numa linha, as duas saem do ' +
            'tabuleiro.',
          'Pode-se jogar entre duas pedras inimigas sem risco: só captura quem coloca a pedra.',
        ],
        figure: 1,
        caption: 'As brancas capturam o par jogando no ponto.',
      },
    ],
    lessons: [
      {
        title: 'Capture um par',
        task: 'Cerque duas pedras pretas em linha e tire-as.',
        done: 'O par se foi. Cinco capturas assim ganham o jogo.',
      },
      {
        title: 'Cinco em linha',
        task: 'As brancas têm quatro numa diagonal. Ganhe agora.',
        done: 'Cinco em linha ganha na hora.',
      },
      {
        title: 'O quinto par',
        task: 'As brancas já capturaram quatro pares. Ganhe agora.',
        done: 'A quinta captura ganha tanto quanto cinco em linha.',
      },
    ],
    refusals: {
      'pente.too_long': '{rest} depois das pedras capturadas: ali não vai nada',
      'pente.captured_missing': 'no fim vêm as pedras capturadas por brancas e pretas, como 2,0',
      'pente.captured': '{found} não é um número de pedras capturadas pelas {side}',
      'pente.captured_odd': '{side} não podem ter capturado {count} pedras: elas saem aos pares',
      'pente.captured_many':
        '{side} não podem ter capturado {count} pedras: {win} ganham, e nenhum último lance passa de {most}',
      'pente.captured_by_none':
        '{side} capturaram {taken} pedras mas colocaram {placed}: uma captura precisa de uma pedra em cada ponta',
      'pente.both_won': 'os dois lados ganharam: cada um tem cinco em linha ou cinco capturas',
      'pente.no_place': '{text} não é uma interseção de 1A a 19T',
      'pente.no_column': '{text} não tem coluna do tabuleiro: A a T sem I',
      'pente.first_stone': 'a primeira pedra das {side} vai ao centro, {centre}',
      'pente.second_stone':
        '{cell} está perto demais: a segunda pedra das {side} fica a pelo menos 3 interseções do centro, {centre}',
    },
  },
  shobu: {
    pitch: 'Um lance calmo e um que empurra, iguais, em dois tabuleiros. Limpe um deles para ganhar.',
    origin: 'Manolis Vranas e Jamie Sajdak, 2019',
    rulesets: { standard: { name: 'Padrão', summary: 'o jogo' } },
    steps: [
      'Lance passivo: escolha uma pedra num dos dois tabuleiros mais perto de você.',
      'Escolha para onde ela vai: uma ou duas casas, sem nada no caminho.',
      'Lance agressivo: escolha uma pedra num tabuleiro da outra cor. Ela se move igual e pode empurrar.',
    ],
    rules: [
      {
        title: 'Objetivo',
        text: ['Empurrar as quatro pedras inimigas para fora de um dos quatro tabuleiros.'],
        figure: 0,
        caption: 'O início. Os dois tabuleiros de baixo são a casa das pretas, os de cima a das brancas.',
      },
      {
        title: 'Primeiro o lance passivo',
        text: [
          'Num dos seus dois tabuleiros de casa mova uma pedra uma ou duas casas em linha reta, em qualquer das ' +
            'oito direções, sem encontrar outra pedra.',
        ],
      },
      {
        title: 'Depois o lance agressivo',
        text: [
          'Num tabuleiro da outra cor, escuro ou claro, mova uma pedra sua na mesma direção e distância.',
          'Essa pedra pode empurrar uma pedra inimiga, até para fora do tabuleiro. Não empurra duas, nem uma sua.',
        ],
        figure: 1,
        caption: 'As pretas moveram duas casas a nordeste num tabuleiro escuro e num claro.',
      },
      {
        title: 'Como jogar aqui',
        text: [
          'Escolha a pedra passiva, o destino dela e depois a pedra agressiva: ela se move sozinha.',
          'Se não houver nenhuma jogada completa, você perde.',
        ],
      },
    ],
    lessons: [
      {
        title: 'Uma jogada completa',
        task:
          'Escolha uma pedra num dos tabuleiros de baixo, para onde vai, e uma pedra num tabuleiro da outra cor que ' +
          'vá do mesmo modo.',
        done: 'Primeiro passivo, depois agressivo, o mesmo vetor: isso é uma jogada.',
      },
      {
        title: 'Empurre para fora',
        task: 'Faça um lance agressivo que tire uma pedra branca do tabuleiro.',
        done: 'Essa pedra está fora do jogo.',
      },
      {
        title: 'Limpe o tabuleiro',
        task: 'Resta uma pedra branca no tabuleiro escuro de cima. Ganhe agora.',
        done: 'Um tabuleiro sem brancas: as pretas ganham.',
      },
    ],
    refusals: {
      'shobu.boards': 'a posição tem {count} tabuleiros; esperavam-se 4, separados por /',
      'shobu.lost': '{side} não têm pedra no tabuleiro {board} e perderam: a vez não pode ser de {other}',
      'shobu.lost_twice': '{side} não têm pedra nos tabuleiros {one} e {other}: a partida acabou no primeiro',
      'shobu.cells': 'o tabuleiro {board} tem {count} casas; esperavam-se 16',
      'shobu.stones': 'o tabuleiro {board} tem {count} pedras de cor {colour}; ali ficam no máximo 4',
      'shobu.no_turn': '{text} não é uma jogada: origem passiva, origem agressiva e vetor, como ab1:db1:NE2',
      'shobu.no_vector': '{text} não é um vetor: N, NE, E, SE, S, SW, W ou NW, e 1 ou 2 casas',
      'shobu.same_shade':
        'os tabuleiros {one} e {other} são da mesma cor ({shade}): o lance agressivo é num tabuleiro da outra cor',
      'shobu.no_cell': '{text} não é uma casa: tabuleiro a a d, coluna a a d e fileira 1 a 4, como ab1',
      'shobu.not_home': '{cell} não está num tabuleiro de casa: {side} jogam o lance passivo em {one} e {other}',
      'shobu.occupied': '{cell} está ocupada: um lance passivo precisa de casas vazias',
      'shobu.own_stone': '{cell} tem uma pedra de {side}, que não pode ser empurrada',
      'shobu.two_stones':
        '{first} e {second} estão ocupadas: só se empurra uma pedra, para uma casa vazia ou para fora',
      'shobu.no_stone': '{cell} não tem pedra de {side}',
      'shobu.off_board': '{vector} a partir de {cell} sai do tabuleiro',
    },
  },
  aboyne: {
    pitch: 'Quem toca o inimigo fica preso. Salte sobre os amigos e chegue primeiro à meta.',
    origin: 'Paul Sijben, 1995',
    rulesets: {
      official: { name: 'Oficial', summary: 'saltos em linha reta; quem não tem lance perde' },
      seed: { name: 'Original', summary: 'quem não tem lance passa; com tudo bloqueado, ganha quem tem mais pedras' },
      'seed-program': {
        name: 'Programa original',
        summary: 'como Original, mas salta-se uma só amiga, reto ou em curva, e só para capturar',
      },
    },
    steps: [
      'Escolha uma das suas pedras; as que tocam uma inimiga estão presas.',
      'Escolha para onde ela vai: uma casa, ou por cima de uma linha de amigas.',
    ],
    rules: [
      {
        title: 'Objetivo',
        text: [
          'Levar uma pedra à sua meta, a casa marcada no outro extremo da fileira do meio. Ou deixar o adversário ' +
            'sem lance.',
        ],
        figure: 0,
        caption: 'O início. Azul vai para a direita, Vermelho para a esquerda.',
      },
      {
        title: 'Bloqueio',
        text: ['Uma pedra ao lado de uma inimiga está bloqueada e não se move. A inimiga também.'],
        figure: 1,
        caption: 'As duas pedras que se tocam prendem uma à outra.',
      },
      {
        title: 'Mover',
        text: [
          'Uma pedra livre anda uma casa para um vizinho vazio, ou salta em linha reta sobre um ou mais amigos ' +
            'seguidos para a casa logo atrás.',
          'Se ali houver uma pedra inimiga, ela é capturada. Só assim se captura. Amigos bloqueados podem ser ' +
            'saltados.',
        ],
        figure: 2,
        caption: 'Azul pode saltar sobre um amigo e capturar no ponto.',
      },
      { title: 'Metas', text: ['Não se entra na meta do adversário.'] },
    ],
    lessons: [
      {
        title: 'Salte',
        task: 'Salte com uma pedra sobre uma amiga.',
        done: 'O salto passa sobre uma linha de amigos de qualquer tamanho, até a casa logo atrás.',
      },
      { title: 'Capture', task: 'Capture a pedra vermelha com um salto.', done: 'Só saltos capturam: traga amigos.' },
      { title: 'A meta', task: 'Chegue à sua meta e ganhe.', done: 'Basta uma pedra na meta.' },
    ],
    refusals: {
      'aboyne.evaluation': 'esperava-se de f1 a f8',
      'aboyne.stones': '{side} tem {count} pedras; o máximo é {most}',
      'aboyne.wrong_goal': 'uma pedra de {side} está em {cell}, a meta de {other}, onde não pode entrar',
      'aboyne.no_stones': 'não há pedra no tabuleiro',
      'aboyne.both_won': 'as duas metas foram alcançadas, mas a primeira encerra a partida',
      'aboyne.no_move': '{text} não é um lance como b1-c2, b1^d3, b1xd3 ou pass',
      'aboyne.sign': '{text} é {kind}: escreva {better}',
      'aboyne.short_row': 'não há casa {cell}: a fileira {row} tem {count}',
      'aboyne.no_cell': '{text} não é uma casa: elas vão de a1 a i5, ou de 0 a 60',
      'aboyne.not_yours': 'a pedra em {cell} não é de {side}',
      'aboyne.blocked': '{cell} está bloqueada pela pedra em {by}',
      'aboyne.occupied': '{cell} está ocupada por {side}',
      'aboyne.enemy_goal': '{cell} é a meta de {enemy}, onde {side} não pode entrar',
      'aboyne.jump_captures': '{from} e {to} não são vizinhas, e um salto tem de capturar',
      'aboyne.no_bridge': 'nenhuma pedra de {side} está ao lado de {from} e de {to}',
      'aboyne.gap': 'não há pedra de {side} para saltar em {cell}',
    },
  },
  tessella: {
    pitch: 'Octógonos e quadrados. Alinhe duas peças e dispare a da frente contra o alvo.',
    origin: 'Michael Lefkowitz, 2019',
    rulesets: {
      d5: { name: 'Padrão', summary: '41 casas, 7 peças cada, 4 capturas ganham' },
      d4: { name: 'Pequeno', summary: '25 casas, 5 peças cada, 3 capturas ganham' },
      d6: { name: 'Grande', summary: '61 casas, 9 peças cada, 5 capturas ganham' },
    },
    steps: ['Escolha uma das suas peças.', 'Escolha para onde ela vai: uma casa vizinha, ou uma inimiga como alvo.'],
    rules: [
      {
        title: 'Objetivo',
        text: ['Capturar quatro peças inimigas.'],
        figure: 0,
        caption: 'O início. As claras começam.',
      },
      {
        title: 'Um passo',
        text: [
          'Mova uma peça para uma casa vazia que compartilhe um lado com a dela. De um octógono há até oito ' +
            'caminhos, de um quadrado só quatro, sempre para octógonos.',
        ],
      },
      {
        title: 'Uma captura',
        text: [
          'Duas peças suas em linha reta com uma inimiga adiante, sem nada no meio: a da frente voa até a inimiga, ' +
            'captura-a e fica no lugar dela. A de trás, o apoio, fica.',
          'As distâncias não importam. As linhas seguem fileiras, colunas e diagonais, por octógonos e quadrados.',
        ],
        figure: 1,
        caption: 'A peça clara da frente pode disparar contra a escura no ponto.',
      },
    ],
    lessons: [
      {
        title: 'Um passo',
        task: 'Mova uma peça para uma casa vizinha.',
        done: 'Os quadrados são estações entre octógonos: quatro caminhos em vez de oito.',
      },
      {
        title: 'Dispare',
        task: 'Duas peças claras estão em linha com uma escura. Capture-a.',
        done: 'O apoio fica, a atacante cai no alvo.',
      },
      {
        title: 'A quarta',
        task: 'Três peças escuras já foram capturadas. Tome a quarta e ganhe.',
        done: 'Quatro capturas ganham.',
      },
    ],
    refusals: {
      'tessella.outside': '{cell} é {found}, mas ali não há casa: esperava-se ~',
      'tessella.too_many': '{side} têm {count} peças, mas a partida começa com {most}',
      'tessella.too_few': '{side} têm {count} peças, mas a partida acaba quando restam {least}',
      'tessella.both_lost': 'os dois lados perderam {count} peças, mas a partida acaba no primeiro',
      'tessella.wrong_side': '{side} fizeram a última captura; quem joga é {other}, não {side}',
      'tessella.no_move': '{text} não é um lance como e1-e2 ou d2xd7',
      'tessella.no_cell': '{text} não é uma casa do tabuleiro',
      'tessella.not_yours': 'a peça em {cell} é de {other}, mas é a vez de {side}',
      'tessella.no_capture': '{cell} está vazia: não há nada a capturar',
      'tessella.no_edge': '{from} e {to} não têm lado comum',
      'tessella.occupied': '{cell} está ocupada por uma peça de {side}',
      'tessella.capture_sign': '{cell} está ocupada; uma captura se escreve {better}',
      'tessella.between': '{cell} está entre {from} e {to}',
      'tessella.enemy_behind': 'a peça logo atrás de {cell} é de {other}, em {by}: não pode apoiar uma captura',
      'tessella.nothing_behind': 'nenhuma peça de {side} está atrás de {from} para apoiar uma captura em {to}',
    },
  },
};
