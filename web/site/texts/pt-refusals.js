// Português: o que o servidor e as regras recusam. À esquerda o texto inglês que vem do servidor; {…} é o que muda.

export default {
  'move {number}: {error}': 'lance {number}: {error}',
  '{error}; the only move is pass': '{error}; o único lance é passar',
  'a text is longer than {count} bytes': 'um texto tem mais de {count} bytes',
  'more than {count} moves': 'mais de {count} lances',
  'it is not your turn': 'não é a sua vez',
  'you are watching: this seat is not yours': 'você está assistindo: este lugar não é seu',
  'you are watching: no seat is yours': 'você está assistindo: nenhum lugar é seu',
  'join a game first': 'entre primeiro numa partida',
  'the engine plays on': 'o programa continua jogando',
  'the engine failed': 'o programa falhou',
  'the game has moved on meanwhile': 'a partida avançou entretanto',
  'the game is not over': 'a partida não acabou',
  'the game is over': 'a partida acabou',
  'the game is over: there is nothing to analyse': 'a partida acabou: não há nada a analisar',
  'there is no move of yours to take back': 'não há lance seu para voltar',
  'there is no such offer any more': 'essa proposta já não existe',
  'only the other player can answer': 'só o outro jogador pode responder',
  'only whoever started this game can do that': 'só quem começou esta partida pode fazer isso',
  'requests from other sites are refused': 'pedidos de outros sites são recusados',
  'this invitation was used already, or never given': 'este convite já foi usado, ou nunca existiu',
  'this server answers to localhost only': 'este servidor só atende a localhost',
  'this server shows a game to those who know its name': 'este servidor mostra uma partida a quem sabe o nome dela',
  'there is no game of this name here': 'não há partida com este nome aqui',
  'there is no such address; see docs/API.md': 'esse endereço não existe; veja docs/API.md',
  'there is no such report': 'esse relatório não existe',
  'there is no such run': 'essa disputa não existe',
  'this run cannot be read': 'esta disputa não pode ser lida',
  'this server shows no contests; start it with --results': 'este servidor não mostra disputas; inicie-o com --results',
  'this server offers no such opponent; it offers {list}': 'este servidor não oferece esse adversário; oferece {list}',
  'this server keeps as many games as it may': 'este servidor já guarda todas as partidas que pode',
  'too many connections from this address': 'conexões demais deste endereço',
  'too many new games; wait a minute': 'partidas novas demais; espere um minuto',
  'too many requests; wait a moment': 'pedidos demais; espere um momento',
  'too many tokens': 'chaves demais',
  'too many games are open at once; try again in a moment': 'há partidas demais abertas; tente de novo daqui a pouco',
  'all engines are busy; try again in a moment': 'todos os programas estão ocupados; tente de novo daqui a pouco',
  'the games cannot be read': 'as partidas não podem ser lidas',
  'the game cannot be written to disk': 'a partida não pode ser gravada',
  'the server has too much to write': 'o servidor tem demais a gravar',
  'the server is shutting down': 'o servidor está encerrando',
  'this game cannot be opened any more': 'esta partida já não pode ser aberta',
  'a clock has 1 to 86400 seconds, and 0 to 600 for each move':
    'um relógio tem de 1 a 86400 segundos, e de 0 a 600 por lance',
  'a message is a JSON object': 'uma mensagem é um objeto JSON',
  'only one seat can be given to whoever opens the invitation': 'só um lugar pode ser dado a quem abrir o convite',
  'whoever makes a game sits on one of its seats, unless two engines play':
    'quem cria uma partida ocupa um dos lugares, a não ser que joguem dois programas',

  'the game is over ({reason}): no move can follow': 'a partida acabou ({reason}): nenhum lance pode seguir',
  'the game is over: no move can follow': 'a partida acabou: nenhum lance pode seguir',
  'there is no game {name}; the games are {list}': 'não há jogo {name}; os jogos são {list}',
  '{game} has no ruleset {name}; it has {list}': '{game} não tem a regra {name}; tem {list}',
  '{name} is not a setting of a ruleset; the settings are first=, repetition= and plies=':
    '{name} não é um ajuste das regras; os ajustes são first=, repetition= e plies=',
  'a game without repetition and ply limit need not end; leave one of them on':
    'uma partida sem repetição nem limite de lances pode não acabar; deixe um dos dois',
  'in {game} {side} always begins': 'em {game} começam sempre as {side}',
  'first={value} is none of first={a}, first={b}, first=random':
    'first={value} não é first={a}, first={b} nem first=random',
  '{name}={value} is not a whole number from 0 to {most}': '{name}={value} não é um número inteiro de 0 a {most}',
  'after the board stands the side to move, {letters}': 'depois do tabuleiro vem quem joga, {letters}',
  'after the boards stands the side to move, {letters}': 'depois dos tabuleiros vem quem joga, {letters}',
  'the side to move is {found}, expected {letters}': 'quem joga é {found}; esperava-se {letters}',
  '{text} after the side to move: nothing belongs there': '{text} depois de quem joga: ali não vai nada',
  '{text} after the captured stones: nothing belongs there': '{text} depois das pedras capturadas: ali não vai nada',
  'at the end stand the stones captured by White and by Black, such as 2,0':
    'no fim vêm as pedras capturadas por brancas e pretas, como 2,0',
  'the board has {count} squares, expected {expected}': 'o tabuleiro tem {count} casas; esperavam-se {expected}',
  'the board has {count} rows, expected {expected} with / between them':
    'o tabuleiro tem {count} fileiras; esperavam-se {expected}, separadas por /',
  'the board has {count} rows, expected {expected}': 'o tabuleiro tem {count} fileiras; esperavam-se {expected}',
  'the position has {count} boards, expected 4 joined by /':
    'a posição tem {count} tabuleiros; esperavam-se 4, separados por /',
  'row {number} (line {line} from the top) has {count} cells, expected {expected}':
    'a fileira {number} (linha {line} de cima) tem {count} casas; esperavam-se {expected}',
  'row {number} from the top has {count} characters, expected {expected}':
    'a fileira {number} de cima tem {count} caracteres; esperavam-se {expected}',
  'row {number} has {count} cells, expected {expected}':
    'a fileira {number} tem {count} casas; esperavam-se {expected}',
  'board {name} has {count} cells, expected 16': 'o tabuleiro {name} tem {count} casas; esperavam-se 16',
  'board {name} has {count} {colour} stones, at most 4 stand there':
    'o tabuleiro {name} tem {count} pedras de cor {colour}; ali ficam no máximo 4',
  'square {cell} is {found}, expected {letters}': 'a casa {cell} é {found}; esperava-se {letters}',
  'cell {cell} is {found}, expected {letters}': 'a casa {cell} é {found}; esperava-se {letters}',
  '{cell} is {found}, but there is no cell: expected ~': '{cell} é {found}, mas ali não há casa: esperava-se ~',
  '{cell} is {found}, expected w, b or .': '{cell} é {found}; esperava-se w, b ou .',
  '{text} is not a square from {a} to {b}, nor pass': '{text} não é uma casa de {a} a {b}, nem pass',
  '{text} is not an intersection from 1A to 19T': '{text} não é uma interseção de 1A a 19T',
  '{text} has no column of the board: A to T without I': '{text} não tem coluna do tabuleiro: A a T sem I',
  '{text} is not a turn: passive origin, aggressive origin and vector, such as ab1:db1:NE2':
    '{text} não é uma jogada: origem passiva, origem agressiva e vetor, como ab1:db1:NE2',
  '{text} is not a vector: N, NE, E, SE, S, SW, W or NW, and 1 or 2 cells':
    '{text} não é um vetor: N, NE, E, SE, S, SW, W ou NW, e 1 ou 2 casas',
  '{text} is not a cell: board a to d, column a to d and row 1 to 4, such as ab1':
    '{text} não é uma casa: tabuleiro a a d, coluna a a d e fileira 1 a 4, como ab1',
  '{text} is not a cell: these are a1 to i5, or 0 to 60': '{text} não é uma casa: elas vão de a1 a i5, ou de 0 a 60',
  '{text} is not a cell of the board': '{text} não é uma casa do tabuleiro',
  'there is no cell {cell}: row {row} has {count}': 'não há casa {cell}: a fileira {row} tem {count}',
  '{text} is not a move such as b1-c2, b1^d3, b1xd3 or pass': '{text} não é um lance como b1-c2, b1^d3, b1xd3 ou pass',
  '{text} is not a move like e1-e2 or d2xd7': '{text} não é um lance como e1-e2 ou d2xd7',
  '{text} is {kind}: write {better}': '{text} é {kind}: escreva {better}',
  '{side} may not pass: there is a legal move': '{side} não podem passar: há um lance legal',
  '{cell} flips nothing for {side}': '{cell} não vira nada para {side}',
  '{cell} is occupied; a capture is written {better}': '{cell} está ocupada; uma captura se escreve {better}',
  '{cell} is occupied by a piece of {side}': '{cell} está ocupada por uma peça de {side}',
  '{cell} is occupied by {side}': '{cell} está ocupada por {side}',
  '{cell} is occupied: a passive move needs empty cells':
    '{cell} está ocupada: um lance passivo precisa de casas vazias',
  '{cell} is occupied': '{cell} está ocupada',
  '{a} and {b} are both occupied: only one stone can be pushed, into an empty cell or off the board':
    '{a} e {b} estão ocupadas: só se empurra uma pedra, para uma casa vazia ou para fora',
  '{cell} is empty: there is nothing to capture': '{cell} está vazia: não há nada a capturar',
  '{cell} is empty': '{cell} está vazia',
  "{side}'s first stone goes on the centre, {cell}": 'a primeira pedra das {side} vai ao centro, {cell}',
  "{cell} is too near: {side}'s second stone goes at least 3 intersections away from the centre, {centre}":
    '{cell} está perto demais: a segunda pedra das {side} fica a pelo menos 3 interseções do centro, {centre}',
  'both sides have won: each has five in a row or five captures':
    'os dois lados ganharam: cada um tem cinco em linha ou cinco capturas',
  '{text} is no number of stones captured by {side}': '{text} não é um número de pedras capturadas pelas {side}',
  '{side} cannot have captured {count} stones: they are taken in pairs':
    '{side} não podem ter capturado {count} pedras: elas saem aos pares',
  '{side} cannot have captured {count} stones: {win} win, and no last move makes it more than {most}':
    '{side} não podem ter capturado {count} pedras: {win} ganham, e nenhum último lance passa de {most}',
  '{side} captured {taken} stones but placed {placed}: a capture needs a stone at either end':
    '{side} capturaram {taken} pedras mas colocaram {placed}: uma captura precisa de uma pedra em cada ponta',
  '{side} has no stone on boards {a} and {b}: the game ended with the first of them':
    '{side} não têm pedra nos tabuleiros {a} e {b}: a partida acabou no primeiro',
  '{side} has no stone on board {board} and has lost: the turn cannot have come to {other}':
    '{side} não têm pedra no tabuleiro {board} e perderam: a vez não pode ser de {other}',
  'boards {a} and {b} are both {shade}: the aggressive move is made on a board of the other colour':
    'os tabuleiros {a} e {b} são da mesma cor ({shade}): o lance agressivo é num tabuleiro da outra cor',
  '{cell} is not on a homeboard: {side} moves passively on {homes}':
    '{cell} não está num tabuleiro de casa: {side} jogam o lance passivo em {homes}',
  '{cell} holds no stone of {side}': '{cell} não tem pedra de {side}',
  '{cell} holds a stone of {side}, which cannot be pushed':
    '{cell} tem uma pedra de {side}, que não pode ser empurrada',
  '{vector} from {cell} leads off the board': '{vector} a partir de {cell} sai do tabuleiro',
  'a stone of {side} stands on {cell}, the goal of {other}, which it may not enter':
    'uma pedra de {side} está em {cell}, a meta de {other}, onde não pode entrar',
  'both goals are reached, but the first one ends the game':
    'as duas metas foram alcançadas, mas a primeira encerra a partida',
  'no stone stands on the board': 'não há pedra no tabuleiro',
  '{side} has {count} stones, at most {most} can be': '{side} tem {count} pedras; o máximo é {most}',
  'no stone of {side} stands next to both {a} and {b}': 'nenhuma pedra de {side} está ao lado de {a} e de {b}',
  'no stone of {side} to jump over on {cell}': 'não há pedra de {side} para saltar em {cell}',
  "the stone on {cell} is not {side}'s": 'a pedra em {cell} não é de {side}',
  '{cell} is the goal of {enemy}, which {side} may not enter':
    '{cell} é a meta de {enemy}, onde {side} não pode entrar',
  '{a} and {b} are not neighbours, and a jump has to capture': '{a} e {b} não são vizinhas, e um salto tem de capturar',
  '{a} and {b} are not on one line': '{a} e {b} não estão numa linha',
  '{a} and {b} share no edge': '{a} e {b} não têm lado comum',
  '{cell} is blocked by the stone on {by}': '{cell} está bloqueada pela pedra em {by}',
  '{cell} stands between {a} and {b}': '{cell} está entre {a} e {b}',
  "the piece on {cell} is {other}'s, but {side} is to move": 'a peça em {cell} é de {other}, mas é a vez de {side}',
  "the piece next behind {cell} is {other}'s, on {by}: it cannot back a capture":
    'a peça logo atrás de {cell} é de {other}, em {by}: não pode apoiar uma captura',
  'no piece of {side} stands behind {a} to back a capture on {b}':
    'nenhuma peça de {side} está atrás de {a} para apoiar uma captura em {b}',
  '{side} has {count} pieces, but a game ends when {least} are left':
    '{side} têm {count} peças, mas a partida acaba quando restam {least}',
  '{side} has {count} pieces, but a game starts with {most}':
    '{side} têm {count} peças, mas a partida começa com {most}',
  '{side} has made the last capture, so {other} stands as the side to move, not {again}':
    '{side} fizeram a última captura; quem joga é {other}, não {again}',
  'both sides have lost {count} pieces, but a game ends with the first':
    'os dois lados perderam {count} peças, mas a partida acaba no primeiro',
};
