# purpose: lines that end in CR LF, also inside a heredoc
config "name" "string" {
  default = "x"
}
text = <<EOT
hello ${name}
EOT
list = [
  1,
  2
]
