//! Texts that laws are tried on.

use proptest::prelude::*;

/// Tokens, and what begins and ends constructs: far more likely to meet than random characters.
pub const PIECES: &[&str] = &[
    "a",
    "b1",
    "for",
    "in",
    "if",
    "true",
    "null",
    "é",
    "1",
    "2.5",
    "1e3",
    "1.2.3",
    " ",
    "  ",
    "\t",
    "\n",
    "\n  ",
    "\r\n",
    "\r",
    "# c\n",
    "/* c */",
    "/*",
    "//\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    ",",
    ":",
    "::",
    "...",
    "=>",
    "=",
    " = ",
    "?",
    "||",
    "&&",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "\"",
    "\"",
    "${",
    "%{",
    "${~",
    "~}",
    "}",
    "$${",
    "%%{",
    "\\n",
    "\\",
    "\\u00e9",
    "\\q",
    "<<E\n",
    "<<-E\n",
    "\nE\n",
    "E",
    "&",
    "|",
    "^",
    "~",
    ";",
    "'",
    "`",
    "@",
    "\u{0}",
    "\u{FEFF}",
    "\u{200D}",
    "%{ if a }",
    "%{ else }",
    "%{ endif }",
    "%{ for x in y }",
    "%{ endfor }",
    "res \"x\" {\n",
    "\nx = ",
    "[*]",
    ".*",
];

pub fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// A program with every construct.
pub const PROGRAM: &str = r#"# a program
config "names" "list(string)" {
  default = ["a", "b"]
}

prefix = "x-${names[0]}-%{ if length(names) > 1 }many%{ else }one%{ endif }"

resource "bucket" "aws:s3/bucket:Bucket" {
  options {
    range = 3
    dependsOn = [other.*.id, thing[*].arn[0]]
  }
  tags = {
    Name = "${prefix}\u00e9"
    "k" : -1 + 2 * 3
  }
  policy = <<-EOT
      first ${names[0]}
        second
      EOT
  count = { for k, v in names : k => upper(v)... if v != "" }
}

output "url" {
  value = bucket != null ? bucket.url : core::join(",", [for n in names : n])
}
"#;

/// The end of the last whole character before `at`.
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
