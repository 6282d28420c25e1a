//! Lossless lexer, parser and syntax tree for PCL.
