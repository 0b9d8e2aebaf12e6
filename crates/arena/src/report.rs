//! Self-contained HTML pages: tables, plots and games to step through, in one file without any reference outside.

use std::fmt::Write as _;

use quincunx_game::{Side, Table};
use serde_json::{Value, json};

use crate::GameRecord;

/// The games a page holds at most; beyond them it would be too large to open.
const MOST_GAMES: usize = 2000;

/// `text` as it may stand in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page under construction.
#[derive(Debug)]
pub struct Page {
    body: String,
    title: String,
}

impl Page {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        Self { body: format!("<h1>{}</h1>\n", escaped(title)), title: title.to_string() }
    }

    /// A headline.
    pub fn heading(&mut self, text: &str) {
        _ = writeln!(self.body, "<h2>{}</h2>", escaped(text));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        _ = writeln!(self.body, "<p>{}</p>", escaped(text));
    }

    /// A table of plain texts; the first row is its head.
    pub fn table(&mut self, rows: &[Vec<String>]) {
        self.body.push_str("<table>\n");
        for (index, row) in rows.iter().enumerate() {
            let tag = if index == 0 { "th" } else { "td" };
            self.body.push_str("<tr>");
            for cell in row {
                _ = write!(self.body, "<{tag}>{}</{tag}>", escaped(cell));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table>\n");
    }

    /// A table whose cells are coloured by values from 0 (red) over 0.5 (white) to 1 (green), with their texts.
    pub fn heat_map(&mut self, names: &[String], cells: &[Vec<Option<(f64, String)>>]) {
        self.body.push_str("<table class=\"heat\"><tr><th></th>");
        for index in 1..=names.len() {
            _ = write!(self.body, "<th>{index}</th>");
        }
        self.body.push_str("</tr>\n");
        for (index, (name, row)) in names.iter().zip(cells).enumerate() {
            _ = write!(self.body, "<tr><th class=\"name\">{} {}</th>", index + 1, escaped(name));
            for cell in row {
                match cell {
                    Some((value, text)) => {
                        let strength = ((value - 0.5).abs() * 1.6).min(0.8);
                        let colour = if *value >= 0.5 { "46,125,80" } else { "190,60,50" };
                        _ = write!(
                            self.body,
                            "<td style=\"background:rgba({colour},{strength:.2})\">{}</td>",
                            escaped(text)
                        );
                    }
                    None => self.body.push_str("<td class=\"none\"></td>"),
                }
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table>\n");
    }

    /// Horizontal bars with an error each, around a common zero.
    pub fn error_bars(&mut self, names: &[String], values: &[(f64, f64)], unit: &str) {
        let low = values.iter().map(|(value, error)| value - error).fold(0.0, f64::min);
        let high = values.iter().map(|(value, error)| value + error).fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        let at = |value: f64| 260.0 + (value - low) / span * 480.0;
        let height = 28 * names.len() + 30;
        _ = writeln!(
            self.body,
            "<svg class=\"plot\" viewBox=\"0 0 760 {height}\" role=\"img\" aria-label=\"{}\">",
            escaped(unit)
        );
        _ = writeln!(
            self.body,
            "<line x1=\"{0:.1}\" y1=\"0\" x2=\"{0:.1}\" y2=\"{1}\" class=\"axis\"/>",
            at(0.0),
            height - 22
        );
        for (index, (name, &(value, error))) in names.iter().zip(values).enumerate() {
            let y = 28 * index + 16;
            _ = writeln!(
                self.body,
                "<text x=\"250\" y=\"{}\" text-anchor=\"end\">{}</text><line x1=\"{:.1}\" y1=\"{y}\" x2=\"{:.1}\" y2=\"{y}\" class=\"error\"/><circle cx=\"{:.1}\" cy=\"{y}\" r=\"5\" class=\"value\"><title>{value:+.1} ± {error:.1} {}</title></circle>",
                y + 5,
                escaped(&shortened(name)),
                at(value - error),
                at(value + error),
                at(value),
                escaped(unit)
            );
        }
        _ = writeln!(
            self.body,
            "<text x=\"{:.1}\" y=\"{height}\" text-anchor=\"middle\">0 {}</text></svg>",
            at(0.0),
            escaped(unit)
        );
    }

    /// Vertical bars.
    pub fn columns(&mut self, bars: &[(String, f64)], unit: &str) {
        let most = bars.iter().map(|(_, value)| *value).fold(0.0, f64::max).max(1e-9);
        let width = 760.0 / bars.len().max(1) as f64;
        _ = writeln!(
            self.body,
            "<svg class=\"plot\" viewBox=\"0 0 760 240\" role=\"img\" aria-label=\"{}\">",
            escaped(unit)
        );
        for (index, (name, value)) in bars.iter().enumerate() {
            let height = value / most * 180.0;
            let x = index as f64 * width;
            _ = writeln!(
                self.body,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" class=\"bar\"><title>{}: {value:.6} {}</title></rect><text x=\"{:.1}\" y=\"222\" text-anchor=\"middle\" class=\"small\">{}</text>",
                x + width * 0.1,
                205.0 - height,
                width * 0.8,
                escaped(name),
                escaped(unit),
                x + width / 2.0,
                escaped(&shortened(name))
            );
        }
        _ = writeln!(
            self.body,
            "<text x=\"0\" y=\"14\" class=\"small\">most: {most:.4} {}</text></svg>",
            escaped(unit)
        );
    }

    /// Games to be stepped through on a board. They have to be of one game under one ruleset; those that do not replay are left out.
    pub fn games(&mut self, records: &[GameRecord]) {
        let mut tables = records.iter().take(MOST_GAMES).filter_map(|record| Some((record, record.replay().ok()?)));
        let Some((first, table)) = tables.next() else { return };
        let mut games = vec![game_json(first, table.boxed_clone())];
        games.extend(tables.map(|(record, table)| game_json(record, table)));
        if records.len() > MOST_GAMES {
            self.paragraph(&format!("The first {MOST_GAMES} of {} games:", records.len()));
        }
        let about = table.rules().about;
        let document = json!({ "games": games, "sides": about.sides, "stones": about.palette.stones });
        // A closing tag in a name would end the script.
        let data = document.to_string().replace("</", "<\\/");
        _ = writeln!(
            self.body,
            "<div id=\"viewer\"><div><select id=\"list\" size=\"14\" aria-label=\"games\"></select></div><div>{}<div class=\"steps\"><button id=\"begin\">|&lt;</button><button id=\"back\">&lt;</button><button id=\"on\">&gt;</button><button id=\"end\">&gt;|</button> <span id=\"where\"></span></div><p id=\"what\"></p></div></div>\n<script>const DATA={data};\n{VIEWER}</script>",
            board(&*table)
        );
    }

    /// The whole document.
    pub fn finish(self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{STYLE}</style></head><body>\n{}</body></html>\n",
            escaped(&self.title),
            self.body
        )
    }
}

fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= 32 { name.to_string() } else { format!("…{}", name.chars().skip(count - 31).collect::<String>()) }
}

/// The empty board with a circle for a stone on every cell.
fn board(table: &dyn Table) -> String {
    let (geometry, palette) = (table.geometry(), &table.rules().about.palette);
    let (width, height) = geometry.size;
    let mut svg = format!("<svg id=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"board\">");
    _ = write!(svg, "<rect width=\"{width}\" height=\"{height}\" rx=\"0.3\" fill=\"{}\"/>", palette.frame);
    for cell in &geometry.cells {
        let points: Vec<String> = cell.outline.iter().map(|(x, y)| format!("{x:.3},{y:.3}")).collect();
        let fill =
            if cell.tone == quincunx_game::geometry::Tone::Alternate { palette.alternate } else { palette.plain };
        let stroke = if cell.tone == quincunx_game::geometry::Tone::Bare { fill } else { palette.line };
        _ = write!(
            svg,
            "<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"0.03\"/>",
            points.join(" ")
        );
    }
    for [from, to] in &geometry.lines {
        _ = write!(
            svg,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"0.035\"/>",
            from.0, from.1, to.0, to.1, palette.line
        );
    }
    for label in &geometry.labels {
        _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" dy=\"0.35em\" font-size=\"0.34\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            label.at.0,
            label.at.1,
            palette.label,
            escaped(&label.text)
        );
    }
    for cell in &geometry.cells {
        let (x, y) = cell.centre;
        _ = write!(
            svg,
            "<circle class=\"stone\" cx=\"{x}\" cy=\"{y}\" r=\"{}\" visibility=\"hidden\"/>",
            geometry.stone_radius
        );
    }
    svg.push_str("<circle id=\"last\" r=\"0.12\" visibility=\"hidden\"/></svg>");
    svg
}

/// A game as the page's script reads it: the stones at the start, and what each move changes.
fn game_json(record: &GameRecord, mut table: Box<dyn Table>) -> Value {
    let code = |stone: Option<Side>| stone.map_or(0, |side| side.index() + 1);
    let mut after = table.stones();
    let mut steps = Vec::new();
    let moves = table.played();
    loop {
        let marks = table.last_marks();
        if !table.undo() {
            break;
        }
        let before = table.stones();
        let changes: Vec<[usize; 2]> = (0..before.len())
            .filter(|&cell| before[cell] != after[cell])
            .map(|cell| [cell, code(after[cell])])
            .collect();
        steps.push(json!([changes, marks.last()]));
        after = before;
    }
    steps.reverse();
    let start: String = after.iter().map(|&stone| char::from(b'0' + code(stone) as u8)).collect();
    json!({
        "number": record.number, "agents": record.agents, "winner": record.winner, "cause": record.cause,
        "fault": record.fault, "start": start, "steps": steps, "moves": moves,
        "opening": record.opening.len(),
        "said": record.moves.iter().map(|turn| turn.score.clone().unwrap_or_default()).collect::<Vec<_>>(),
    })
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;margin:.5rem 0}th,td{border:1px solid #ccc;padding:.2rem .5rem;text-align:right}\
th:first-child,td:first-child{text-align:left}.heat td{min-width:3.2rem;text-align:center}.heat .name{text-align:left}.none{background:#eee}\
.plot{width:100%;max-width:760px;display:block}.plot text{font-size:13px;fill:#222}.plot .small{font-size:10px}.axis{stroke:#999;stroke-dasharray:3 3}\
.error{stroke:#357;stroke-width:2}.value,.bar{fill:#357}#viewer{display:flex;gap:1rem;flex-wrap:wrap}#board{width:min(30rem,100%)}\
#list{max-width:22rem;height:28rem}.steps button{font-size:1rem;min-width:2.5rem}#last{fill:#e0533d;stroke:#fff;stroke-width:.035}";

const VIEWER: &str = r"
const $ = id => document.getElementById(id), stones = [...document.querySelectorAll('.stone')];
let game = null, ply = 0;
DATA.games.forEach((g, i) => {
  const o = document.createElement('option');
  const r = g.winner === 'first' ? '1-0' : g.winner === 'second' ? '0-1' : '½-½';
  o.value = i; o.textContent = `${g.number}  ${r}  ${g.agents[0]} – ${g.agents[1]}`;
  $('list').append(o);
});
function draw() {
  const board = [...game.start].map(Number);
  for (const [changes] of game.steps.slice(0, ply)) for (const [cell, code] of changes) board[cell] = code;
  stones.forEach((s, i) => {
    s.setAttribute('visibility', board[i] ? 'visible' : 'hidden');
    if (board[i]) s.setAttribute('fill', DATA.stones[board[i] - 1]);
  });
  const mark = ply ? game.steps[ply - 1][1] : null, last = $('last');
  last.setAttribute('visibility', mark == null ? 'hidden' : 'visible');
  if (mark != null) for (const a of ['cx', 'cy']) last.setAttribute(a, stones[mark].getAttribute(a));
  const said = ply > game.opening ? game.said[ply - 1 - game.opening] : '';
  $('where').textContent = `${ply} of ${game.steps.length}` + (ply ? `: ${game.moves[ply - 1]} ${said}` : '');
  $('what').textContent = `${DATA.sides[0]} ${game.agents[0]}, ${DATA.sides[1]} ${game.agents[1]}. ` +
    (game.winner === 'draw' ? 'Draw' : `${DATA.sides[game.winner === 'first' ? 0 : 1]} wins`) + `: ${game.cause}` +
    (game.fault ? ` (${game.fault})` : '');
}
function go(to) { ply = Math.max(0, Math.min(game.steps.length, to)); draw(); }
function open(i) { game = DATA.games[i]; go(game.steps.length); }
$('list').onchange = () => open(+$('list').value);
$('begin').onclick = () => go(0); $('back').onclick = () => go(ply - 1);
$('on').onclick = () => go(ply + 1); $('end').onclick = () => go(1e9);
document.onkeydown = e => { if (e.target !== $('list')) { if (e.key === 'ArrowLeft') go(ply - 1); if (e.key === 'ArrowRight') go(ply + 1); } };
$('list').selectedIndex = 0; open(0);
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_page() {
        let mut page = Page::new("<script>alert(1)</script>");
        page.table(&[vec!["a".into()], vec!["</table><img onerror=x>".into()]]);
        page.error_bars(&["<b>".into()], &[(1.0, 2.0)], "Elo");
        let html = page.finish();
        assert!(!html.contains("<script>alert") && !html.contains("<img") && !html.contains("<b>"));
    }
}
