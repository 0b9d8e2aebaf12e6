const $ = id => document.getElementById(id), stones = [...document.querySelectorAll('.stone')];
let game = null, ply = 0;
const results = { first: '1-0', second: '0-1', draw: '½-½' };
for (const [i, g] of DATA.games.entries()) {
  const option = document.createElement('option');
  option.value = i;
  option.textContent = `${String(g.number).padStart(String(DATA.games.length).length, '\u00a0')} ${results[g.winner]} ${g.agents[0]} – ${g.agents[1]}`;
  option.title = option.textContent;
  $('list').append(option);
}
function draw() {
  const board = [...game.start].map(Number);
  for (const [changes] of game.steps.slice(0, ply)) for (const [cell, code] of changes) board[cell] = code;
  stones.forEach((stone, i) => {
    stone.setAttribute('visibility', board[i] ? 'visible' : 'hidden');
    if (board[i]) stone.setAttribute('fill', DATA.stones[board[i] - 1]);
  });
  const mark = ply ? game.steps[ply - 1][1] : null, last = $('last');
  last.setAttribute('visibility', mark == null ? 'hidden' : 'visible');
  if (mark != null) for (const a of ['cx', 'cy']) last.setAttribute(a, stones[mark].getAttribute(a));
  $('where').textContent = `${ply} of ${game.steps.length}` + (ply ? `: ${game.moves[ply - 1]}` : '');
  [...$('moves').children].forEach((item, i) => item.classList.toggle('now', i + 1 === ply));
  const now = $('moves').querySelector('.now');
  if (now) $('moves').scrollTop = now.offsetTop - $('moves').offsetTop - $('moves').clientHeight / 2;
}
function go(to) { ply = Math.max(0, Math.min(game.steps.length, to)); draw(); }
function open(i) {
  game = DATA.games[i];
  $('moves').replaceChildren(...game.moves.map((move, i) => {
    const item = document.createElement('li');
    const said = i < game.opening ? 'opening' : game.said[i - game.opening];
    item.textContent = `${i + 1}. ${move}` + (said ? `  ${said}` : '');
    item.onclick = () => go(i + 1);
    return item;
  }));
  $('what').textContent = `${DATA.sides[0]}: ${game.agents[0]}. ${DATA.sides[1]}: ${game.agents[1]}. ` +
    (game.winner === 'draw' ? 'Draw' : `${DATA.sides[game.winner === 'first' ? 0 : 1]} wins`) + `: ${game.cause}` +
    (game.fault ? ` (${game.fault})` : '') + '.';
  go(game.steps.length);
}
$('list').onchange = () => open(+$('list').value);
$('begin').onclick = () => go(0); $('back').onclick = () => go(ply - 1);
$('on').onclick = () => go(ply + 1); $('end').onclick = () => go(1e9);
document.onkeydown = e => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (step) { e.preventDefault(); go(ply + step); }
};
$('list').selectedIndex = 0; open(0);
