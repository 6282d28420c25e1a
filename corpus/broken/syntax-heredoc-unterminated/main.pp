# purpose: a heredoc whose end marker never comes
before = 1
script = <<EOT
echo hello
  EOTX
echo good bye
