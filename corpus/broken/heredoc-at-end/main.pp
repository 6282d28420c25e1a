# purpose: a heredoc whose marker ends the file without a newline: accepted with a warning
text = <<EOT
hello
EOT