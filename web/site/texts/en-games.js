// English: what is said about each game beyond what the server knows.

export default {
  othello: { pitch: 'Outflank your opponent and turn their discs over. Nothing is safe until the corners are.' },
  pente: { pitch: 'Five in a row, or five captured pairs. Attack and defence with every stone.' },
  shobu: { pitch: 'One quiet move, one that pushes, the same way on two boards. Clear any board to win.' },
  aboyne: { pitch: 'Touch an enemy and you are stuck. Leap over friends and reach the far goal first.' },
  tessella: { pitch: 'Octagons and squares. Line up two pieces and fire the front one at its target.' },
};
