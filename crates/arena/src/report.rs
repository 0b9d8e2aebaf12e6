//! Self-contained HTML pages: tables, plots and games to step through, in one file without any reference outside.

use std::fmt::Write as _;

use quincunx_game::{AnyGame, Side, svg::empty_board};
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

    /// A table of plain texts; the first row is its head. Numbers stand on the right of their cells, words on the left.
    pub fn table(&mut self, rows: &[Vec<String>]) {
        self.linked_table(rows, |_| None);
    }

    /// A table whose rows lead somewhere: `link` tells where, by the row's number.
    pub fn linked_table(&mut self, rows: &[Vec<String>], link: impl Fn(usize) -> Option<String>) {
        let body = rows.get(1..).unwrap_or_default();
        let is_number = |cell: &String| cell.parse::<f64>().is_ok();
        let of_numbers = |column: usize| {
            let cells = || body.iter().filter_map(move |row| row.get(column)).filter(|cell| !cell.is_empty());
            cells().next().is_some() && cells().all(is_number)
        };
        self.body.push_str("<table>\n");
        for (index, row) in rows.iter().enumerate() {
            let tag = if index == 0 { "th" } else { "td" };
            self.body.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let class = if of_numbers(column) { " class=\"number\"" } else { "" };
                let link = link(index).filter(|_| column == 0 && index > 0);
                let text = escaped(cell);
                let text = link.map_or(text.clone(), |to| format!("<a href=\"{}\">{text}</a>", escaped(&to)));
                _ = write!(self.body, "<{tag}{class}>{text}</{tag}>");
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
        let at = |value: f64| 250.0 + (value - low) / span * 390.0;
        let height = 28 * names.len() + 30;
        self.begin_plot(height, unit);
        let (zero, bottom) = (at(0.0), height - 22);
        _ = writeln!(self.body, "<line x1=\"{zero:.1}\" y1=\"0\" x2=\"{zero:.1}\" y2=\"{bottom}\" class=\"axis\"/>");
        for (index, (name, &(value, error))) in names.iter().zip(values).enumerate() {
            let y = 28 * index + 16;
            let (from, to, middle, text) = (at(value - error), at(value + error), at(value), y + 5);
            _ = writeln!(
                self.body,
                "<text x=\"240\" y=\"{text}\" text-anchor=\"end\">{}</text>\
                 <line x1=\"{from:.1}\" y1=\"{y}\" x2=\"{to:.1}\" y2=\"{y}\" class=\"error\"/>\
                 <circle cx=\"{middle:.1}\" cy=\"{y}\" r=\"5\" class=\"value\"/>\
                 <text x=\"650\" y=\"{text}\">{value:+.0} ± {error:.0}</text>",
                escaped(&shortened(name, 32)),
            );
        }
        _ = writeln!(self.body, "<text x=\"{zero:.1}\" y=\"{height}\" text-anchor=\"middle\">0</text>");
        _ = writeln!(self.body, "<text x=\"650\" y=\"{height}\">{}</text></svg>", escaped(unit));
    }

    /// Vertical bars, each with its value above and its name below.
    pub fn columns(&mut self, bars: &[(String, f64)], unit: &str) {
        let most = bars.iter().map(|(_, value)| *value).fold(0.0, f64::max).max(1e-9);
        let width = 760.0 / bars.len().max(4) as f64;
        self.begin_plot(240, unit);
        _ = writeln!(self.body, "<line x1=\"0\" y1=\"205.5\" x2=\"760\" y2=\"205.5\" class=\"axis\"/>");
        let letters = (width / 6.0) as usize;
        for (index, (name, value)) in bars.iter().enumerate() {
            let height = value / most * 180.0;
            let (x, y) = (index as f64 * width, 205.0 - height);
            _ = writeln!(
                self.body,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" rx=\"2\" class=\"bar\"><title>{}: {value} {}</title></rect>\
                 <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"small\">{}</text>\
                 <text x=\"{middle:.1}\" y=\"222\" text-anchor=\"middle\" class=\"small\">{}</text>",
                x + width * 0.15,
                width * 0.7,
                escaped(name),
                escaped(unit),
                y - 5.0,
                plain_number(*value),
                escaped(&shortened(name, letters.clamp(5, 32))),
                middle = x + width / 2.0,
            );
        }
        self.body.push_str("</svg>\n");
    }

    fn begin_plot(&mut self, height: usize, unit: &str) {
        let label = escaped(unit);
        _ = writeln!(
            self.body,
            "<svg class=\"plot\" viewBox=\"0 0 760 {height}\" role=\"img\" aria-label=\"{label}\">"
        );
    }

    /// Games to be stepped through on a board. They have to be of one game under one ruleset; those that do not replay
    /// are left out.
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
        // A tag in a name could end the script, or begin a comment that never ends.
        let data = document.to_string().replace('<', "\\u003c");
        _ = writeln!(
            self.body,
            "<div id=\"viewer\"><select id=\"list\" size=\"14\" aria-label=\"games\"></select>\
             <div>{}<div class=\"steps\"><button id=\"begin\" aria-label=\"to the beginning\">|◀</button>\
             <button id=\"back\" aria-label=\"a move back\">◀</button><button id=\"on\" aria-label=\"a move on\">▶</button>\
             <button id=\"end\" aria-label=\"to the end\">▶|</button><span id=\"where\"></span></div>\
             <p id=\"what\"></p></div><ol id=\"moves\" aria-label=\"moves\"></ol></div>\n<script>const DATA={data};\n{VIEWER}</script>",
            board(&*table)
        );
    }

    /// The whole document.
    pub fn finish(&self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{STYLE}</style></head><body>\n{}<footer>Quincunx {}</footer></body></html>\n",
            escaped(&self.title),
            self.body,
            escaped(quincunx_version::VERSION)
        )
    }
}

/// The end of a long name, where paths differ.
fn shortened(name: &str, most: usize) -> String {
    let count = name.chars().count();
    if count <= most {
        name.to_string()
    } else {
        format!("…{}", name.chars().skip(count + 1 - most).collect::<String>())
    }
}

/// A number with no more digits than it takes.
fn plain_number(value: f64) -> String {
    if value.fract().abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.3}") }
}

/// The empty board with a circle for a stone on every cell.
fn board(game: &dyn AnyGame) -> String {
    let geometry = game.geometry();
    let ((width, height), radius) = (geometry.size, geometry.stone_radius);
    let mut svg = format!("<svg id=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"board\">");
    svg.push_str(&empty_board(&geometry, &game.rules().about.palette));
    for (x, y) in geometry.cells.iter().map(|cell| cell.centre) {
        _ = write!(svg, "<circle class=\"stone\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" visibility=\"hidden\"/>");
    }
    svg.push_str("<circle id=\"last\" r=\"0.12\" visibility=\"hidden\"/></svg>");
    svg
}

/// A game as the page's script reads it: the stones at the start, and what each move changes.
fn game_json(record: &GameRecord, mut table: Box<dyn AnyGame>) -> Value {
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
        "number": record.number, "agents": record.agents, "winner": record.winner_name(), "cause": record.cause,
        "fault": record.fault, "start": start, "steps": steps, "moves": moves,
        "opening": record.opening.len(),
        "said": record.moves.iter().map(|turn| turn.score.clone().unwrap_or_default()).collect::<Vec<_>>(),
    })
}

const STYLE: &str = include_str!("report.css");

const VIEWER: &str = include_str!("report.js");

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
