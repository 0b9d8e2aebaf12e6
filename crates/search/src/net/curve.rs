//! The learning curve of a net as a picture.

use std::fmt::Write as _;

use super::fit::Losses;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
/// Room around the plot.
const MARGIN: f64 = 56.0;

type Loss = fn(&Losses) -> f64;

/// The losses after each pass as an SVG.
pub fn picture(title: &str, losses: &[Losses]) -> String {
    let all = losses.iter().flat_map(|losses| [losses.learnt, losses.held_out]).filter(|loss| loss.is_finite());
    let (least, most) = all.fold((f64::MAX, f64::MIN), |(least, most), loss| (least.min(loss), most.max(loss)));
    let span = (most - least).max(1e-9);
    let x = |pass: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * pass as f64 / losses.len().saturating_sub(1).max(1) as f64;
    let y = |loss: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (loss - least) / span;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"{MARGIN}\" \
         y=\"28\">{title}</text>\n"
    );
    for step in 0..=4 {
        let loss = least + span * f64::from(step) / 4.0;
        let y = y(loss);
        _ = writeln!(
            svg,
            "<path d=\"M{MARGIN} {y:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"4\" y=\"{:.1}\">{loss:.4}</text>",
            WIDTH - MARGIN,
            y + 4.0
        );
    }
    let curves: [(&str, &str, Loss); 2] =
        [("learnt from", "#b3541e", |losses| losses.learnt), ("held out", "#1f5fa8", |losses| losses.held_out)];
    for (row, (name, colour, loss)) in curves.into_iter().enumerate() {
        let points: Vec<_> =
            losses.iter().enumerate().map(|(pass, losses)| format!("{:.1},{:.1}", x(pass), y(loss(losses)))).collect();
        let points = points.join(" ");
        _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let (x, y) = (WIDTH - MARGIN - 110.0, MARGIN + 16.0 * row as f64);
        _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name}</text>");
    }
    let (last, foot) = (losses.len(), HEIGHT - MARGIN + 20.0);
    _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{foot}\">pass 1</text>");
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
    }
}
