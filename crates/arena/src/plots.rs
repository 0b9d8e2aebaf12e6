//! Plots on pages: axes with ticks, drawn as SVG in the colours of the page.

use std::fmt::Write as _;

use crate::report::{Page, escaped};

/// Where the plane of a plot with two axes lies, in its picture.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 750.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 236.0;
const HEIGHT: usize = 280;

impl Page {
    /// Horizontal bars with an error each, around a common zero.
    pub fn error_bars(&mut self, names: &[String], values: &[(f64, f64)], unit: &str) {
        let low = values.iter().map(|(value, error)| value - error).fold(0.0, f64::min);
        let high = values.iter().map(|(value, error)| value + error).fold(0.0, f64::max);
        let span = (high - low).max(1.0);
        let at = |value: f64| 250.0 + (value - low) / span * 390.0;
        let height = 28 * names.len() + 42;
        self.begin_plot(height, unit);
        let bottom = height - 34;
        for tick in ticks(low, low + span, 6) {
            let (x, class) = (at(tick), if tick == 0.0 { "axis" } else { "grid" });
            _ = writeln!(
                self.body,
                "<line x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{bottom}\" class=\"{class}\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" class=\"tick\">{}</text>",
                bottom + 14,
                plain_number(tick)
            );
        }
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
        let middle = f64::midpoint(at(low), at(low + span));
        _ = writeln!(
            self.body,
            "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\" class=\"tick\">{}</text></svg>",
            height - 4,
            escaped(unit)
        );
    }

    /// Vertical bars, each with its value above and its name below.
    pub fn columns(&mut self, bars: &[(String, f64)], unit: &str) {
        let groups: Vec<(String, Vec<f64>)> = bars.iter().map(|(name, value)| (name.clone(), vec![*value])).collect();
        self.grouped_columns(&groups, unit, None);
    }

    /// Vertical bars in groups: a name below each group, a value above each bar. `scale` is the largest value of several
    /// plots that are to be compared.
    pub fn grouped_columns(&mut self, groups: &[(String, Vec<f64>)], unit: &str, scale: Option<f64>) {
        let most = groups.iter().flat_map(|(_, values)| values).copied().fold(0.0, f64::max).max(1e-9);
        let most = scale.unwrap_or(most).max(most);
        let width = (RIGHT - LEFT) / groups.len().max(4) as f64;
        self.begin_plot(HEIGHT, unit);
        self.vertical_axis(most, unit);
        let at = |value: f64| BOTTOM - value / (most * 1.08) * (BOTTOM - TOP);
        let letters = (width / 6.0) as usize;
        for (index, (name, values)) in groups.iter().enumerate() {
            let x = LEFT + index as f64 * width;
            let bar = width * 0.76 / values.len().max(1) as f64;
            for (place, value) in values.iter().enumerate() {
                let (left, y) = (x + width * 0.12 + bar * place as f64, at(*value));
                let class = ["bar", "bar second"][place % 2];
                _ = writeln!(
                    self.body,
                    "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" class=\"{class}\"><title>{}: {value} {}</title></rect>",
                    bar * 0.92,
                    BOTTOM - y,
                    escaped(name),
                    escaped(unit),
                );
                if bar > 16.0 {
                    _ = writeln!(
                        self.body,
                        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"small\">{}</text>",
                        left + bar * 0.46,
                        y - 4.0,
                        plain_number(*value)
                    );
                }
            }
            _ = writeln!(
                self.body,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"small\">{}</text>",
                x + width / 2.0,
                BOTTOM + 18.0,
                escaped(&shortened(name, letters.clamp(5, 32))),
            );
        }
        self.body.push_str("</svg>\n");
    }

    /// A line for each series over 1, 2, 3…: its name, whether it is one of the usual ones, its values.
    pub fn lines(&mut self, series: &[(String, bool, Vec<f64>)], below: &str, unit: &str) {
        let most = series.iter().flat_map(|(_, _, values)| values).copied().fold(0.0, f64::max).max(1e-9);
        let longest = series.iter().map(|(_, _, values)| values.len()).max().unwrap_or(0).max(2);
        self.begin_plot(HEIGHT, &format!("{unit} over {below}"));
        self.vertical_axis(most, unit);
        let at = |index: usize, value: f64| {
            let x = LEFT + index as f64 / longest as f64 * (RIGHT - LEFT);
            (x, BOTTOM - value / (most * 1.08) * (BOTTOM - TOP))
        };
        for tick in ticks(0.0, longest as f64, 10).into_iter().filter(|tick| tick.fract() == 0.0) {
            let (x, _) = at(tick as usize, 0.0);
            _ = writeln!(
                self.body,
                "<line x1=\"{x:.1}\" y1=\"{BOTTOM}\" x2=\"{x:.1}\" y2=\"{:.1}\" class=\"axis\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"tick\">{tick}</text>",
                BOTTOM + 4.0,
                BOTTOM + 17.0
            );
        }
        for (name, usual, values) in series {
            let points: Vec<String> = std::iter::once(at(0, 0.0))
                .chain(values.iter().enumerate().map(|(index, value)| at(index + 1, *value)))
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            let class = if *usual { "line" } else { "line lost" };
            _ = writeln!(
                self.body,
                "<polyline points=\"{}\" class=\"{class}\"><title>{}</title></polyline>",
                points.join(" "),
                escaped(name)
            );
        }
        _ = writeln!(
            self.body,
            "<text x=\"{RIGHT}\" y=\"{:.1}\" text-anchor=\"end\" class=\"tick\">{}</text></svg>",
            BOTTOM + 34.0,
            escaped(below)
        );
    }

    /// The axis on the left, with a line across for each tick.
    fn vertical_axis(&mut self, most: f64, unit: &str) {
        for tick in ticks(0.0, most, 5) {
            let y = BOTTOM - tick / (most * 1.08) * (BOTTOM - TOP);
            let class = if tick == 0.0 { "axis" } else { "grid" };
            _ = writeln!(
                self.body,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" class=\"{class}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" class=\"tick\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                plain_number(tick)
            );
        }
        _ = writeln!(self.body, "<text x=\"4\" y=\"{:.1}\" class=\"tick\">{}</text>", TOP - 1.0, escaped(unit));
    }

    fn begin_plot(&mut self, height: usize, label: &str) {
        _ = writeln!(
            self.body,
            "<svg class=\"plot\" viewBox=\"0 0 760 {height}\" role=\"img\" aria-label=\"{}\">",
            escaped(label)
        );
    }
}

/// Round numbers from `low` to `high`, about so many.
fn ticks(low: f64, high: f64, about: u32) -> Vec<f64> {
    let raw = (high - low).max(1e-12) / f64::from(about);
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    (first..).map(|number| number as f64 * step).take_while(|tick| *tick <= high + step * 1e-6).take(100).collect()
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
    if value.fract().abs() < 1e-9 {
        return format!("{value:.0}");
    }
    format!("{value:.3}").trim_end_matches('0').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_the_axis() {
        assert_eq!(ticks(0.0, 100.0, 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(-130.0, 260.0, 6), [-100.0, 0.0, 100.0, 200.0]);
        assert!(ticks(0.0, 1e-9, 5).len() <= 100 && !ticks(0.0, 0.0, 5).is_empty());
        assert_eq!([0.25, 3.0, 0.1].map(plain_number), ["0.25", "3", "0.1"]);
    }
}
