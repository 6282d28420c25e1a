# purpose: a blank between the heredoc's arrows and its marker
script = << EOT
echo hello
EOT
after = 1
