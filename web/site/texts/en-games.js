// English: what is said about each game beyond what the server knows.

export default {
  othello: {
    pitch: 'Outflank your opponent and turn their discs over. Nothing is safe until the corners are.',
    origin: 'Goro Hasegawa, 1971',
    rulesets: {
      '8x8': { name: '8×8', summary: 'the game' },
      '6x6': { name: '6×6', summary: 'on 6×6 squares' },
      '4x4': { name: '4×4', summary: 'on 4×4 squares' },
    },
    steps: ['Choose a square: every dot turns at least one disc.'],
    rules: [
      {
        title: 'Aim',
        text: ['Have the most discs of your colour when nobody can move any more.'],
        figure: 0,
        caption: 'The start. Black moves first; the dots are where Black may play.',
      },
      {
        title: 'A move',
        text: [
          'Place a disc on an empty square so that a straight line of one or more enemy discs lies between it and ' +
            'another disc of yours. Lines run in all eight directions.',
          'Every enemy disc in such a line, in every direction, is turned over to your colour.',
        ],
        figure: 1,
        caption: 'Black has played d3 and turned d4.',
      },
      {
        title: 'Passing',
        text: [
          'If you cannot turn any disc you must pass; otherwise you may not. Here a forced pass is played for you ' +
            'and announced.',
        ],
      },
      {
        title: 'The end',
        text: [
          'When neither side can move, the discs are counted. Equal numbers are a draw.',
          'A disc in a corner can never be turned again: corners are worth a lot.',
        ],
        figure: 2,
        caption: 'a1 is open to Black: a corner, and two discs turned.',
      },
    ],
    lessons: [
      {
        title: 'The first move',
        task: 'Play any legal move: a disc that catches a white one between two black ones.',
        done: 'That is all there is to a move. The disc between yours changed its colour.',
      },
      {
        title: 'Three ways at once',
        task: 'One square turns discs in three directions. Find it.',
        done: 'All lines count, in every direction at the same time.',
      },
      {
        title: 'The corner',
        task: 'Take the corner: a disc there can never be turned over.',
        done: 'Corners, and the discs next to your corner, stay yours to the end.',
      },
    ],
  },
  pente: {
    pitch: 'Five in a row, or five captured pairs. Attack and defence with every stone.',
    origin: 'Gary Gabrel, 1977',
    rulesets: {
      tournament: {
        name: 'Tournament',
        summary: 'White’s first stone on the centre, the second at least 3 intersections from it',
      },
      free: { name: 'Free', summary: 'no restriction on White’s stones' },
    },
    steps: ['Choose an empty intersection.'],
    rules: [
      {
        title: 'Aim',
        text: ['Get five or more of your stones in a row, in any direction, or capture five pairs.'],
        figure: 2,
        caption: 'White has four in a row and wins at either dot.',
      },
      {
        title: 'A move',
        text: [
          'Put one stone on any empty intersection. Stones never move.',
          'In the tournament rules White’s first stone goes on the centre, and White’s second at least three ' +
            'intersections away from it.',
        ],
        figure: 0,
        caption: 'A beginning. Black’s pair on the diagonal is in danger from 9N.',
      },
      {
        title: 'Capturing',
        text: [
          'If your new stone and an older one of yours enclose exactly two enemy stones in a line, those two are ' +
            'taken off the board.',
          'You may step between two enemy stones safely: only the player who places a stone captures.',
        ],
        figure: 1,
        caption: 'White captures the pair by playing at the dot.',
      },
    ],
    lessons: [
      {
        title: 'Capture a pair',
        task: 'Enclose two black stones in a line and take them.',
        done: 'The pair is gone. Five such captures win the game.',
      },
      { title: 'Five in a row', task: 'White has four on a diagonal. Win now.', done: 'Five in a row wins at once.' },
      {
        title: 'The fifth pair',
        task: 'White has captured four pairs already. Win now.',
        done: 'The fifth capture wins as well as five in a row does.',
      },
    ],
  },
  shobu: {
    pitch: 'One quiet move, one that pushes, the same way on two boards. Clear any board to win.',
    origin: 'Manolis Vranas and Jamie Sajdak, 2019',
    rulesets: { standard: { name: 'Standard', summary: 'the game' } },
    steps: [
      'Passive move: choose a stone on one of the two boards nearest to you.',
      'Choose where it goes: one or two cells, nothing in the way.',
      'Aggressive move: choose a stone on a board of the other colour. It moves the same way, and may push.',
    ],
    rules: [
      {
        title: 'Aim',
        text: ['Push all four enemy stones off any one of the four boards.'],
        figure: 0,
        caption: 'The start. The two lower boards are Black’s homeboards, the two upper ones White’s.',
      },
      {
        title: 'First the passive move',
        text: [
          'On one of your two homeboards move a stone one or two cells in a straight line, in any of eight ' +
            'directions. It must not meet any other stone.',
        ],
      },
      {
        title: 'Then the aggressive move',
        text: [
          'On a board of the other colour, dark or light, move one of your stones exactly as far and in exactly the ' +
            'same direction.',
          'This stone may push one enemy stone ahead of it, even off the board. It can push neither two stones nor ' +
            'one of your own.',
        ],
        figure: 1,
        caption: 'Black has moved two cells north-east on a dark and on a light board.',
      },
      {
        title: 'How to make a turn here',
        text: [
          'Choose the passive stone, its target, and then the aggressive stone: it moves by itself.',
          'If you cannot make both moves with the same vector, choose another; if there is none at all, you lose.',
        ],
      },
    ],
    lessons: [
      {
        title: 'A whole turn',
        task:
          'Choose a stone on one of your lower boards, where it goes, and a stone on a board of the other colour ' +
          'that goes the same way.',
        done: 'Passive first, aggressive second, the same vector: that is a turn.',
      },
      {
        title: 'Push one off',
        task: 'Make an aggressive move that pushes a white stone off its board.',
        done: 'That stone is out of the game.',
      },
      {
        title: 'Clear the board',
        task: 'One white stone is left on the upper dark board. Win now.',
        done: 'A board without white stones: Black wins.',
      },
    ],
  },
  aboyne: {
    pitch: 'Touch an enemy and you are stuck. Leap over friends and reach the far goal first.',
    origin: 'Paul Sijben, 1995',
    rulesets: {
      official: { name: 'Official', summary: 'jumps over straight lines; a side without a move loses' },
      seed: { name: 'Seed', summary: 'a side without a move passes; when all stones are blocked, most stones win' },
      'seed-program': {
        name: 'Seed program',
        summary: 'as Seed, but jumps go over one friend, bent or straight, and only to capture',
      },
    },
    steps: [
      'Choose one of your stones; those next to an enemy are stuck.',
      'Choose where it goes: one cell, or over a line of friends.',
    ],
    rules: [
      {
        title: 'Aim',
        text: [
          'Bring one of your stones to your goal, the marked cell at the far end of the middle row. Or leave your ' +
            'opponent without a move.',
        ],
        figure: 0,
        caption: 'The start. Blue goes to the right, Red to the left.',
      },
      {
        title: 'Blocked',
        text: ['A stone next to an enemy stone is blocked and may not move. The enemy stone is blocked too.'],
        figure: 1,
        caption: 'The two stones that touch hold each other.',
      },
      {
        title: 'Moving',
        text: [
          'A free stone goes one cell to an empty neighbour, or jumps in a straight line over one or more friends ' +
            'in a row to the cell right behind them.',
          'If an enemy stone stands on that cell it is captured. This is the only way to capture. Blocked friends ' +
            'may be jumped over.',
        ],
        figure: 2,
        caption: 'Blue may jump over a friend and capture at the dot.',
      },
      { title: 'Goals', text: ['You may not enter the goal of your opponent.'] },
    ],
    lessons: [
      {
        title: 'Jump',
        task: 'Jump with a stone over a friend.',
        done: 'A jump goes over a line of friends of any length, straight, to the cell behind it.',
      },
      { title: 'Capture', task: 'Capture the red stone with a jump.', done: 'Only jumps capture: bring friends.' },
      { title: 'The goal', task: 'Reach your goal and win.', done: 'One stone in the goal is enough.' },
    ],
  },
  tessella: {
    pitch: 'Octagons and squares. Line up two pieces and fire the front one at its target.',
    origin: 'Michael Lefkowitz, 2019',
    rulesets: {
      d5: { name: 'Standard', summary: '41 cells, 7 pieces each, 4 captures win' },
      d4: { name: 'Small', summary: '25 cells, 5 pieces each, 3 captures win' },
      d6: { name: 'Large', summary: '61 cells, 9 pieces each, 5 captures win' },
    },
    steps: ['Choose one of your pieces.', 'Choose where it goes: a neighbouring cell, or an enemy to fire at.'],
    rules: [
      { title: 'Aim', text: ['Capture four enemy pieces.'], figure: 0, caption: 'The start. Light moves first.' },
      {
        title: 'A step',
        text: [
          'Move a piece to an empty cell that shares an edge with its own. From an octagon there are up to eight ' +
            'ways, from a square only four, always to octagons.',
        ],
      },
      {
        title: 'A capture',
        text: [
          'Two of your pieces on a straight line with an enemy piece beyond them, and nothing between: the front ' +
            'piece flies to the enemy, takes it and stands in its place. The piece behind, the backer, stays.',
          'Distances do not matter. Lines run along rows, columns and diagonals, through octagons and squares.',
        ],
        figure: 1,
        caption: 'Light’s front piece can fire at the dark piece at the dot.',
      },
    ],
    lessons: [
      {
        title: 'A step',
        task: 'Move a piece to a neighbouring cell.',
        done: 'Squares are stations between octagons: four ways instead of eight.',
      },
      {
        title: 'Fire',
        task: 'Two light pieces stand in line with a dark one. Capture it.',
        done: 'The backer stays, the attacker lands on its target.',
      },
      {
        title: 'The fourth',
        task: 'Three dark pieces are captured. Take the fourth and win.',
        done: 'Four captures win.',
      },
    ],
  },
};
