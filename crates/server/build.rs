//! Has the program built again when a file of the front end is added, changed or removed; and makes the typeface of its
//! pages: Inter in two weights, cut down to the characters of `typeface.txt`, as WOFF2. The variable font would weigh
//! twice as much.

use std::{env, fs, io::Write, path::Path};

use allsorts::{binary::read::ReadScope, font_data::FontData, tables::Fixed, variations::instance};
use fontcull_klippa::{Plan, SubsetFlags, subset_font};
use fontcull_read_fonts::{
    FontRef,
    collections::IntSet,
    types::{NameId, Tag},
};

fn main() {
    println!("cargo::rerun-if-changed=../../web/site");
    println!("cargo::rerun-if-changed=typeface.txt");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").expect("cargo names the directory");
    for (name, weight) in [("inter.woff2", 400), ("inter-bold.woff2", 600)] {
        let font = cut_down(&of_weight(damascene_fonts_inter::INTER_VARIABLE, weight), include_str!("typeface.txt"));
        fs::write(Path::new(&out).join(name), woff2(&font)).expect("the typeface can be written");
    }
}

/// The font of one weight, drawn for text.
fn of_weight(font: &[u8], weight: i32) -> Vec<u8> {
    /// The least optical size that Inter has.
    const TEXT: i32 = 14;
    let font = ReadScope::new(font).read::<FontData<'_>>().expect("the font is whole");
    let tables = font.table_provider(0).expect("the font has tables");
    instance(&tables, &[Fixed::from(TEXT), Fixed::from(weight)]).expect("the font has this weight").0
}

/// The font with these characters alone, their kerning and figures of one width. Its licence asks that it says whose it
/// is, so names stay.
fn cut_down(font: &[u8], characters: &str) -> Vec<u8> {
    let font = FontRef::new(font).expect("the font is whole");
    let characters: IntSet<u32> = characters.chars().filter(|c| *c != '\n').map(u32::from).collect();
    let features: IntSet<Tag> = [b"kern", b"tnum"].into_iter().map(Tag::new).collect();
    let names: IntSet<NameId> = [0, 1, 2, 13, 14].into_iter().map(NameId::new).collect();
    let english = IntSet::from_iter([0x409]);
    let (no_glyphs, no_tables, all_scripts) = (IntSet::empty(), IntSet::empty(), IntSet::all());
    let flags = SubsetFlags::SUBSET_FLAGS_NO_HINTING;
    let plan = Plan::new(&no_glyphs, &characters, &font, flags, &no_tables, &all_scripts, &features, &names, &english);
    let mut smaller = subset_font(&font, &plan).expect("the font can be cut down");
    name_kerning(&mut smaller);
    smaller
}

/// Calls the lookups of the kerning what they are. The subsetter puts the pairs behind a lookup of extensions (type 9) in
/// its place, but leaves its type; with it, no browser kerns.
fn name_kerning(font: &mut [u8]) {
    let short = |font: &[u8], at: usize| usize::from(u16::from_be_bytes([font[at], font[at + 1]]));
    let tables = (0..short(font, 4)).map(|table| 12 + 16 * table);
    let Some(entry) = tables.into_iter().find(|&entry| &font[entry..entry + 4] == b"GPOS") else { return };
    let table = short(font, entry + 8) << 16 | short(font, entry + 10);
    let list = table + short(font, table + 8);
    for lookup in 0..short(font, list) {
        let lookup = list + short(font, list + 2 + 2 * lookup);
        if short(font, lookup) == 9 {
            font[lookup + 1] = 2;
        }
    }
}

/// A font as WOFF2: the same tables, compressed as one.
fn woff2(font: &[u8]) -> Vec<u8> {
    let number = |at: usize| u32::from_be_bytes(font[at..at + 4].try_into().expect("four bytes"));
    let count = u16::from_be_bytes([font[4], font[5]]);
    let name_of = |entry: usize| &font[entry..entry + 4];
    let mut entries: Vec<usize> = (0..usize::from(count)).map(|table| 12 + 16 * table).collect();
    // The places of the outlines have to follow the outlines.
    entries.sort_by_key(|&entry| if name_of(entry) == b"loca" { b"glyg" } else { name_of(entry) });
    let (mut directory, mut tables, mut length) = (Vec::new(), Vec::new(), 12);
    for entry in entries {
        let name = name_of(entry);
        let (begin, bytes) = (number(entry + 8) as usize, number(entry + 12));
        // 63: the name follows; above it, how the table is changed: 3 is not at all where 0 has a meaning.
        let unchanged = if [&b"glyf"[..], b"loca"].contains(&name) { 3 } else { 0 };
        directory.push(63 | unchanged << 6);
        directory.extend(name);
        put_base_128(&mut directory, bytes);
        tables.extend(&font[begin..begin + bytes as usize]);
        length += 16 + bytes.next_multiple_of(4);
    }
    let mut packed = Vec::new();
    // Quality and window of the best compression.
    brotli::CompressorWriter::new(&mut packed, 4096, 11, 22).write_all(&tables).expect("memory takes everything");
    let whole = 48 + directory.len() + packed.len();
    let mut file = b"wOF2".to_vec();
    file.extend(&font[..4]);
    file.extend((whole.next_multiple_of(4) as u32).to_be_bytes());
    file.extend(count.to_be_bytes());
    file.extend([0; 2]);
    file.extend(length.to_be_bytes());
    file.extend((packed.len() as u32).to_be_bytes());
    // The version of the font; no metadata, no private data.
    file.extend([0, 1, 0, 0]);
    file.extend([0; 20]);
    file.extend(directory);
    file.extend(packed);
    file.resize(whole.next_multiple_of(4), 0);
    file
}

/// A number in groups of seven bits, all but the last with the eighth bit set.
fn put_base_128(bytes: &mut Vec<u8>, number: u32) {
    let groups = (32 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let more = if group > 0 { 128 } else { 0 };
        bytes.push((number >> (7 * group) & 127) as u8 | more);
    }
}
