//! Curves as a picture: what is learnt over the passes, numbers over the iterations.

use std::fmt::Write as _;

use super::fit::Losses;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Room around the plot.
const MARGIN: f64 = 56.0;
/// The colours of the curves, from the first again after the last.
const COLOURS: [&str; 6] = ["#b3541e", "#1f5fa8", "#3a7d34", "#8a3a8c", "#6b6b1d", "#444444"];
/// No curve has more points: a picture shows no more.
const POINTS: usize = 600;

/// The losses after each pass as an SVG.
pub fn picture(title: &str, losses: &[Losses]) -> String {
    let learnt = losses.iter().map(|losses| losses.learnt).collect();
    let held_out = losses.iter().map(|losses| losses.held_out).collect();
    plot(title, ("pass 1", ""), &[("learnt from", learnt), ("held out", held_out)])
}

/// Curves with names as an SVG; below its ends stand what the first of their points is called, and the number of the last
/// behind what it counts.
pub fn plot(title: &str, (first, counted): (&str, &str), curves: &[(&str, Vec<f64>)]) -> String {
    let all = curves.iter().flat_map(|(_, values)| values).copied().filter(|value| value.is_finite());
    let (least, most) = all.fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(value), most.max(value)));
    let span = (most - least).max(1e-9);
    let count = curves.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let x = |at: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * at as f64 / count.saturating_sub(1).max(1) as f64;
    let y = |value: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (value - least) / span;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{MARGIN}\" \
         y=\"28\">{title}</text>\n"
    );
    for step in 0..=4 {
        let value = least + span * f64::from(step) / 4.0;
        let y = y(value);
        _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {y:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"4\" y=\"{:.1}\">{value:.4}</text>",
            WIDTH - MARGIN,
            y + 4.0
        );
    }
    let every = count.div_ceil(POINTS).max(1);
    for (row, (name, values)) in curves.iter().enumerate() {
        let colour = COLOURS[row % COLOURS.len()];
        let shown = values.iter().enumerate().filter(|(at, _)| at.is_multiple_of(every) || at + 1 == values.len());
        let points: Vec<_> = shown.map(|(at, &value)| format!("{:.1},{:.1}", x(at), y(value))).collect();
        let points = points.join(" ");
        _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let (x, y) = (WIDTH - MARGIN - 130.0, MARGIN + 16.0 * row as f64);
        _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name}</text>");
    }
    let foot = HEIGHT - MARGIN + 20.0;
    // A start is no pass of its own.
    let last = if counted.is_empty() { count.to_string() } else { format!("{counted} {}", count.saturating_sub(1)) };
    _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{foot}\">{first}</text>");
    _ = writeln!(svg, "<text x=\"{}\" y=\"{foot}\" text-anchor=\"end\">{last}</text>\n</svg>", WIDTH - MARGIN);
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_drawn_within_its_picture_whatever_the_losses() {
        let losses = |values: &[f64]| -> Vec<_> {
            values.iter().map(|&value| Losses { learnt: value, held_out: value + 0.01 }).collect()
        };
        for values in [&[0.6, 0.5, 0.45][..], &[0.5], &[]] {
            let svg = picture("Ring", &losses(values));
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert_eq!(svg.matches(',').count(), 2 * values.len());
        }
        let long = plot("Ring", ("start", "iteration"), &[("up", (0..5000).map(f64::from).collect())]);
        assert!(long.contains("iteration 4999") && long.matches(',').count() <= POINTS + 1);
    }
}
