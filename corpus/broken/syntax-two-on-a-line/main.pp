# purpose: two attributes on one line, and two attributes in a one-line block
a = 1 b = 2
config "x" "int" { default = 1, secret = true }
c = 3
