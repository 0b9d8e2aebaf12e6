//! A board as an SVG picture, drawn from the geometry alone.

use std::fmt::Write;

use crate::{
    AnyGame, Geometry, Palette,
    geometry::{Point, Tone},
    terminal::rgb,
};

/// Pixels a unit of the geometry.
const SCALE: f32 = 56.0;

/// The board with its stones, the last move marked; a complete SVG document.
pub fn picture(game: &dyn AnyGame) -> String {
    let mut svg = String::new();
    draw(&mut svg, game).expect("writing to a string does not fail");
    svg
}

fn draw(svg: &mut String, game: &dyn AnyGame) -> std::fmt::Result {
    let (geometry, about) = (game.geometry(), game.rules().about);
    let (palette, name) = (&about.palette, about.name);
    let (width, height) = geometry.size;

    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{}" height="{}" role="img" aria-label="{}: {}">"#,
        (width * SCALE).round(),
        (height * SCALE).round(),
        about.title,
        game.position_text()
    )?;
    writeln!(svg, "<defs>")?;
    for (side, colour) in palette.stones.iter().enumerate() {
        writeln!(
            svg,
            r#"<radialGradient id="{name}-stone-{side}" cx="0.36" cy="0.3" r="0.75"><stop offset="0" stop-color="{}"/><stop offset="0.55" stop-color="{colour}"/><stop offset="1" stop-color="{}"/></radialGradient>"#,
            blend(colour, 255, 0.45),
            blend(colour, 0, 0.28),
        )?;
    }
    writeln!(svg, "</defs>")?;
    draw_board(svg, &geometry, palette)?;
    draw_stones(svg, game, &geometry)?;
    writeln!(svg, "</svg>")
}

/// The board without stones: elements for an SVG whose view box is the size of the geometry.
pub fn empty_board(geometry: &Geometry, palette: &Palette) -> String {
    let mut svg = String::new();
    draw_board(&mut svg, geometry, palette).expect("writing to a string does not fail");
    svg
}

fn draw_board(svg: &mut String, geometry: &Geometry, palette: &Palette) -> std::fmt::Result {
    let (width, height) = geometry.size;
    writeln!(svg, r#"<rect width="{width}" height="{height}" rx="0.3" fill="{}"/>"#, palette.frame)?;

    // Cells that look alike are one path: a board of 361 cells is not 361 elements.
    let mut paths: Vec<(String, String, String)> = Vec::new();
    let mut goals = String::new();
    for cell in &geometry.cells {
        let fill = match cell.tone {
            Tone::Alternate => palette.alternate.to_string(),
            Tone::Plain | Tone::Bare => palette.plain.to_string(),
            Tone::Goal(side) => mixed(palette.plain, palette.stones[side.index()], 0.35),
        };
        let stroke = if cell.tone == Tone::Bare { fill.clone() } else { palette.line.to_string() };
        if let Some((_, _, path)) = paths.iter_mut().find(|path| path.0 == fill && path.1 == stroke) {
            path.push_str(&outline(&cell.outline));
        } else {
            paths.push((fill, stroke, outline(&cell.outline)));
        }
        if let Tone::Goal(side) = cell.tone {
            let (x, y) = cell.centre;
            writeln!(
                goals,
                r#"<circle cx="{x}" cy="{y}" r="{}" fill="none" stroke="{}" stroke-width="0.07" stroke-dasharray="0.16 0.1"/>"#,
                geometry.stone_radius * 0.72,
                palette.stones[side.index()]
            )?;
        }
    }
    for (fill, stroke, path) in paths {
        writeln!(
            svg,
            r#"<path d="{path}" fill="{fill}" stroke="{stroke}" stroke-width="0.03" stroke-linejoin="round"/>"#
        )?;
    }
    svg.push_str(&goals);
    for [from, to] in &geometry.lines {
        writeln!(
            svg,
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="0.035" stroke-linecap="round"/>"#,
            from.0, from.1, to.0, to.1, palette.line
        )?;
    }
    for (x, y) in &geometry.dots {
        writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="0.09" fill="{}"/>"#, palette.line)?;
    }
    writeln!(
        svg,
        r#"<g font-family="Inter, system-ui, sans-serif" font-size="0.34" fill="{}" text-anchor="middle">"#,
        palette.label
    )?;
    for label in &geometry.labels {
        writeln!(svg, r#"<text x="{}" y="{}" dy="0.35em">{}</text>"#, label.at.0, label.at.1, label.text)?;
    }
    writeln!(svg, "</g>")
}

fn draw_stones(svg: &mut String, game: &dyn AnyGame, geometry: &Geometry) -> std::fmt::Result {
    let about = game.rules().about;
    let stones = game.stones();
    let radius = geometry.stone_radius;
    for (cell, stone) in geometry.cells.iter().zip(&stones) {
        let Some(side) = stone.map(crate::Side::index) else { continue };
        let (x, y) = cell.centre;
        let edge = blend(about.palette.stones[side], 0, 0.45);
        writeln!(
            svg,
            r##"<circle cx="{x}" cy="{}" r="{radius}" fill="#000" opacity="0.25"/><circle cx="{x}" cy="{y}" r="{radius}" fill="url(#{}-stone-{side})" stroke="{edge}" stroke-width="0.02"/>"##,
            y + 0.05,
            about.name
        )?;
    }
    for index in game.last_marks() {
        let Some(cell) = geometry.cells.get(index) else { continue };
        let (x, y) = cell.centre;
        let size = radius * 0.3;
        if stones[index].is_some() {
            // A red dot with a light rim shows on every stone.
            writeln!(
                svg,
                r##"<circle class="last" cx="{x}" cy="{y}" r="{size}" fill="#e0533d" stroke="#fff" stroke-width="0.035"/>"##
            )?;
        } else {
            // The cell a stone came from is marked less strongly than the one it stands on.
            writeln!(
                svg,
                r##"<circle class="last" cx="{x}" cy="{y}" r="{size}" fill="none" stroke="#e0533d" stroke-width="0.06" opacity="0.8"/>"##
            )?;
        }
    }
    for index in game.winning_cells() {
        let Some(cell) = geometry.cells.get(index) else { continue };
        let (x, y) = cell.centre;
        // Gold on a dark rim shows on light stones as well as on dark ones.
        writeln!(
            svg,
            r##"<g class="winning" fill="none"><circle cx="{x}" cy="{y}" r="{radius}" stroke="#5a3a00" stroke-width="0.14"/><circle cx="{x}" cy="{y}" r="{radius}" stroke="#ffc21f" stroke-width="0.09"/></g>"##
        )?;
    }
    Ok(())
}

/// A closed outline as a piece of a path.
fn outline(corners: &[Point]) -> String {
    let corners: Vec<String> = corners.iter().map(|&(x, y)| format!("{} {}", number(x), number(y))).collect();
    format!("M{}Z", corners.join("L"))
}

/// A length to a thousandth of a unit, without zeros behind it.
fn number(length: f32) -> String {
    let text = format!("{length:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// `colour` moved towards a grey level by `share`.
fn blend(colour: &str, grey: u8, share: f32) -> String {
    mixed(colour, &format!("#{grey:02x}{grey:02x}{grey:02x}"), share)
}

/// A colour between two.
fn mixed(from: &str, to: &str, share: f32) -> String {
    let (from, to) = (rgb(from), rgb(to));
    let part = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", part(from.0, to.0), part(from.1, to.1), part(from.2, to.2))
}
