// Short whole games, one a game: the first side plays well, the other does not.

export const WHOLE_GAMES = {
  othello: 'e6 f4 e3 f6 g5 d6 e7 f5 c5',
  pente: '10K 7Q 6O 16S 9K 19P 11K 9T 8K 8S 7K',
  shobu:
    'aa1:ba1:NE1 cc4:bc4:S2 ab2:bb2:E2 ca4:bb4:S1 ab1:bd2:N2 cd4:dc4:SW1 bc1:ad2:N2 db4:ca3:E1 ac1:bc3:W2 ' +
    'da4:ab4:S2 ad1:ba3:N1',
  aboyne:
    'i1-h2 e8-e7 h1^h3 e7-e8 h2^h4 e8-e7 h3^h5 f8-f7 g1-f2 e7-e6 f1^f3 c7-d7 f2^f4 e6-d6 f3^f5 d7^d5 f5-e5 ' +
    'g7^e7 f4xd5 b6-c7 e5-d4 a5-b5 d4xd6 c7-d7 d5xd7 b5-a4 a1-b2 f7-f6 h4-g5 a4-b5 b1^b3 b5-a4 b2^b4',
  tessella: 'c3-d4 h6-g5 g3-f4 f8-e8 f4xg5 b6-b5 d4xd8 e8-e7 g5xe7 g7-f8 e7xe9',
};
