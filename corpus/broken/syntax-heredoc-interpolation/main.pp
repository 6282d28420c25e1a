# purpose: interpolations that a heredoc's closing line ends: what follows is read as it stands
name = "x"
first = <<EOT
hello ${name
EOT
output "second" {
  value = <<-EOT
    hello ${name +
  EOT
}
last = missing
