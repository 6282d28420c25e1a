//! Small changes to programs, the same ones in every run.

use std::sync::Arc;

use pcl::syntax::{SyntaxKind, tokenize};

use super::{Original, Program};
use crate::Random;

/// Texts that are put between or in place of tokens.
const PIECES: [&str; 62] = [
    ";", ";;", ",", "=", ":", "=>", "==", "'", "`", "“", "”", "\"", "+", "-", "!", "&", "|", "~",
    "and", "or", "not", "if", "\u{a0}", "\u{200b}", "\r", "\n", " \\\n", "(", ")", "[", "]", "{",
    "}", "~}", "${", "%{", "...", "?", "?.", "<>", "<<", "<< EOT", "::", ".0.1", ".*.a.*.b", "[*]",
    "in", "for", "let ", "1.", "0x1f", "null", "true", "# c\n", "/*", "\"a\" =", "\\q", "\\'",
    "\\$", "v", "\"${", "}\"",
];

/// The program with one file changed. `original` has the diagnostics of the program as it is.
pub fn mutate(program: &Program, original: &Arc<Original>, random: &mut Random) -> Program {
    let mut mutant = program.clone();
    mutant.original = Some(Arc::clone(original));
    let file = random.below(mutant.files.len());
    let text = &mut mutant.files[file].1;
    // One change out of three is followed by another.
    change(text, random);
    while random.below(3) == 0 {
        change(text, random);
    }
    mutant
}

fn change(text: &mut String, random: &mut Random) {
    let tokens = tokenize(text);
    let is_blank = |token: u32| {
        matches!(
            tokens.kind(token),
            SyntaxKind::Whitespace | SyntaxKind::LineComment | SyntaxKind::BlockComment
        )
    };
    let places: Vec<u32> = (0..tokens.len() as u32 - 1).filter(|&t| !is_blank(t)).collect();
    if places.is_empty() {
        return;
    }
    let nth = random.below(places.len());
    let range = tokens.range(places[nth]).to_usize();
    let token = text[range.clone()].to_owned();
    let other = tokens.range(places[random.below(places.len())]).to_usize();
    let other = text[other].to_owned();
    let next = places.get(nth + 1).map(|&next| tokens.range(next).to_usize());
    match random.below(12) {
        0 => text.replace_range(range, ""),
        1 => text.insert_str(range.end, &token),
        2 => text.replace_range(range, &other),
        3 => text.insert_str(range.start, &other),
        4 => {
            if let Some(next) = next {
                let second = text[next.clone()].to_owned();
                text.replace_range(next, &token);
                text.replace_range(range, &second);
            }
        }
        5 => text.insert_str(range.start, PIECES[random.below(PIECES.len())]),
        6 => text.replace_range(range, PIECES[random.below(PIECES.len())]),
        // Duplicates a line, or adds a copy with a wrong name.
        7 => {
            let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at + 1);
            let mut line = text[start..end].to_owned();
            if random.below(2) == 0 {
                misspell(&mut line, random);
            }
            text.insert_str(end, &line);
        }
        _ => {
            // Words are misspelled most, for the sake of the suggestions.
            let words: Vec<u32> = (0..tokens.len() as u32 - 1)
                .filter(|&t| matches!(tokens.kind(t), SyntaxKind::Ident | SyntaxKind::Text))
                .collect();
            if !words.is_empty() {
                let range = tokens.range(words[random.below(words.len())]).to_usize();
                let mut word = text[range.clone()].to_owned();
                misspell(&mut word, random);
                text.replace_range(range, &word);
            }
        }
    }
}

/// Changes one letter of a text.
fn misspell(text: &mut String, random: &mut Random) {
    let letters: Vec<(usize, char)> =
        text.char_indices().filter(|(_, c)| c.is_alphanumeric()).collect();
    if letters.is_empty() {
        return;
    }
    let (at, letter) = letters[random.below(letters.len())];
    let whole = at..at + letter.len_utf8();
    match random.below(5) {
        0 => text.replace_range(whole, ""),
        1 => text.insert(at, letter),
        2 => text.replace_range(whole, "x"),
        3 => {
            let swapped = if letter.is_uppercase() {
                letter.to_lowercase().to_string()
            } else {
                letter.to_uppercase().to_string()
            };
            text.replace_range(whole, &swapped);
        }
        _ => {
            let last = letters[random.below(letters.len())].0;
            if let Some(other) = text[last..].chars().next() {
                text.replace_range(whole, &other.to_string());
            }
        }
    }
}
