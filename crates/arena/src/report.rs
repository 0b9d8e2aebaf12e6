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

/// One of the two in a match of a knockout.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) points: f64,
    /// Whether the match was the last one for it.
    pub(crate) out: bool,
}

/// A page under construction.
#[derive(Debug)]
pub struct Page {
    pub(crate) body: String,
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

    /// The one result that everything else explains.
    pub fn lead(&mut self, text: &str) {
        _ = writeln!(self.body, "<p class=\"lead\">{}</p>", escaped(text));
    }

    /// Lines that keep their form, such as a compiler's.
    pub fn preformatted(&mut self, text: &str) {
        _ = writeln!(self.body, "<pre>{}</pre>", escaped(text.trim_end()));
    }

    /// Two texts that keep their form, beside each other, each under its name.
    pub fn side_by_side(&mut self, texts: [&(String, String); 2]) {
        self.body.push_str("<div class=\"beside\">");
        for (name, text) in texts {
            _ = write!(
                self.body,
                "<figure><figcaption>{}</figcaption><pre>{}</pre></figure>",
                escaped(name),
                escaped(text)
            );
        }
        self.body.push_str("</div>\n");
    }

    /// The rounds of a knockout, beside each other, each with its matches.
    pub(crate) fn bracket(&mut self, rounds: &[Vec<[Contender; 2]>]) {
        self.body.push_str("<div class=\"bracket\">\n");
        for (number, matches) in rounds.iter().enumerate() {
            _ = writeln!(self.body, "<section><h3>Round {}</h3>", number + 1);
            for pair in matches {
                self.body.push_str("<div>");
                for Contender { name, points, out } in pair {
                    let class = if *out { " class=\"out\"" } else { "" };
                    _ = write!(self.body, "<span><span{class}>{}</span><span>{}</span></span>", escaped(name), points);
                }
                self.body.push_str("</div>\n");
            }
            self.body.push_str("</section>\n");
        }
        self.body.push_str("</div>\n");
    }

    /// Sentences, one below the other.
    pub fn list(&mut self, items: &[String]) {
        self.body.push_str("<ul>\n");
        for item in items {
            _ = writeln!(self.body, "<li>{}</li>", escaped(item));
        }
        self.body.push_str("</ul>\n");
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
        self.body.push_str("<div class=\"wide\"><table class=\"sorted\">\n");
        for (index, row) in rows.iter().enumerate() {
            let tag = if index == 0 { "th" } else { "td" };
            self.body.push_str(if index == 0 { "<thead><tr>" } else { "<tr>" });
            for (column, cell) in row.iter().enumerate() {
                let class = if of_numbers(column) { " class=\"number\"" } else { "" };
                let link = link(index).filter(|_| column == 0 && index > 0);
                let text = escaped(cell);
                let text = link.map_or(text.clone(), |to| format!("<a href=\"{}\">{text}</a>", escaped(&to)));
                _ = write!(self.body, "<{tag}{class}>{text}</{tag}>");
            }
            self.body.push_str(if index == 0 { "</tr></thead><tbody>\n" } else { "</tr>\n" });
        }
        self.body.push_str("</tbody></table></div>\n");
    }

    /// A table whose cells are coloured by values from 0 (red) over 0.5 (white) to 1 (green), with their texts.
    pub fn heat_map(&mut self, names: &[String], cells: &[Vec<Option<(f64, String)>>]) {
        self.body.push_str("<div class=\"wide\"><table class=\"heat\"><tr><th></th>");
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
        self.body.push_str("</table></div>\n");
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
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{LOOK}{STYLE}</style></head><body class=\"report\">\n<main>\n{}</main>\n<footer>Quincunx {}</footer><script>{SORTER}</script></body></html>\n",
            escaped(&self.title),
            self.body,
            escaped(quincunx_version::VERSION)
        )
    }
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

/// The look of the app, so that pages and app have one.
const LOOK: &str = include_str!("../../../web/site/css/base.css");

const STYLE: &str = include_str!("report.css");

/// Sorts tables by the column whose head is clicked.
const SORTER: &str = include_str!("sorter.js");

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
