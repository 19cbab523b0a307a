//! Pictures of rectangles and text, as SVG and as PNG.
//!
//! Both have the same places; letters of an SVG are those of the viewer's font, letters of a PNG those of a fixed one.
//! Deliberately absent: lines that are neither horizontal nor vertical, text in other directions.

use embedded_graphics::Drawable;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, iso_8859_1 as fonts};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Alignment, Text};
use std::fmt::Write;

/// Red, green, blue.
pub(super) type Color = [u8; 3];

pub(super) const BLACK: Color = [0x22, 0x22, 0x22];
pub(super) const GREY: Color = [0x77, 0x77, 0x77];
pub(super) const WHITE: Color = [0xff; 3];

/// Which end of a text lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Title,
    Heading,
    Plain,
    Small,
}

/// A rectangle: left, top, width, height in pixels.
pub(super) type Box4 = [f64; 4];

enum Shape {
    /// Rectangles of one colour.
    Boxes(Color, Vec<Box4>),
    /// A text whose base line begins, ends or is centred at a place.
    Text([f64; 2], Anchor, Style, Color, String),
}

/// The marks of a drawing, in painting order.
pub(super) struct Picture {
    width: f64,
    height: f64,
    shapes: Vec<Shape>,
}

impl Picture {
    pub(super) fn new(width: f64, height: f64) -> Picture {
        let shapes = vec![Shape::Boxes(WHITE, vec![[0.0, 0.0, width, height]])];
        Picture {
            width,
            height,
            shapes,
        }
    }

    pub(super) fn boxes(&mut self, color: Color, boxes: Vec<Box4>) {
        if !boxes.is_empty() {
            self.shapes.push(Shape::Boxes(color, boxes));
        }
    }

    pub(super) fn text(&mut self, at: [f64; 2], anchor: Anchor, style: Style, text: &str) {
        let color = if style == Style::Small { GREY } else { BLACK };
        self.shapes
            .push(Shape::Text(at, anchor, style, color, text.to_owned()));
    }
}

/// The picture as SVG.
pub(super) fn svg(picture: &Picture) -> String {
    let (width, height) = (picture.width, picture.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" shape-rendering=\"crispEdges\">\n"
    );
    for shape in &picture.shapes {
        match shape {
            Shape::Boxes([r, g, b], boxes) => {
                let _ = write!(out, "<path fill=\"#{r:02x}{g:02x}{b:02x}\" d=\"");
                for [x, y, width, height] in boxes {
                    let _ = write!(
                        out,
                        "M{} {}h{}v{}h-{}z",
                        short(*x),
                        short(*y),
                        short(*width),
                        short(*height),
                        short(*width)
                    );
                }
                out += "\"/>\n";
            }
            Shape::Text([x, y], anchor, style, [r, g, b], text) => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let font = match style {
                    Style::Title => "font-size=\"17\" font-weight=\"bold\"",
                    Style::Heading => "font-size=\"14\" font-weight=\"bold\"",
                    Style::Plain => "font-size=\"12\"",
                    Style::Small => "font-size=\"11\"",
                };
                let _ = writeln!(
                    out,
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"#{r:02x}{g:02x}{b:02x}\" {font}>{}</text>",
                    short(*x),
                    short(*y),
                    escaped(text)
                );
            }
        }
    }
    out += "</svg>\n";
    out
}

/// At most two digits behind the point: the same on every machine, and short.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Pixels, row by row.
struct Raster {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

impl OriginDimensions for Raster {
    fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }
}

impl DrawTarget for Raster {
    type Color = Rgb888;
    type Error = core::convert::Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
    where
        I: IntoIterator<Item = embedded_graphics::Pixel<Rgb888>>,
    {
        for embedded_graphics::Pixel(Point { x, y }, color) in pixels {
            let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
                continue;
            };
            if x < self.width && y < self.height {
                let at = (y as usize * self.width as usize + x as usize) * 3;
                self.bytes[at..at + 3].copy_from_slice(&[color.r(), color.g(), color.b()]);
            }
        }
        Ok(())
    }
}

fn font(style: Style) -> MonoFont<'static> {
    match style {
        Style::Title => fonts::FONT_9X15_BOLD,
        Style::Heading => fonts::FONT_7X13_BOLD,
        Style::Plain => fonts::FONT_6X12,
        Style::Small => fonts::FONT_5X8,
    }
}

/// The picture as PNG.
pub(super) fn png(picture: &Picture) -> Result<Vec<u8>, String> {
    let (width, height) = (picture.width.ceil() as u32, picture.height.ceil() as u32);
    let mut raster = Raster {
        width,
        height,
        bytes: vec![0xff; width as usize * height as usize * 3],
    };
    for shape in &picture.shapes {
        // Nothing fails: pixels outside are left out.
        let Ok(()) = raster.draw(shape);
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&raster.bytes));
    written.map_err(|error| format!("the diagram cannot be made a PNG: {error}"))?;
    Ok(out)
}

impl Raster {
    fn draw(&mut self, shape: &Shape) -> Result<(), core::convert::Infallible> {
        match shape {
            Shape::Boxes([r, g, b], boxes) => {
                for [x, y, width, height] in boxes {
                    // Rounded outwards to a pixel at least, so that nothing thin is lost.
                    let (left, top) = (x.floor() as i32, y.floor() as i32);
                    let right = ((x + width).round() as i32).max(left + 1);
                    let bottom = ((y + height).round() as i32).max(top + 1);
                    let size = Size::new((right - left) as u32, (bottom - top) as u32);
                    let area = Rectangle::new(Point::new(left, top), size);
                    self.fill_solid(&area, Rgb888::new(*r, *g, *b))?;
                }
            }
            Shape::Text([x, y], anchor, style, [r, g, b], text) => {
                let alignment = match anchor {
                    Anchor::Start => Alignment::Left,
                    Anchor::Middle => Alignment::Center,
                    Anchor::End => Alignment::Right,
                };
                let font = font(*style);
                let set = MonoTextStyle::new(&font, Rgb888::new(*r, *g, *b));
                let at = Point::new(x.round() as i32, y.round() as i32);
                Text::with_alignment(text, at, set, alignment).draw(self)?;
            }
        }
        Ok(())
    }
}
