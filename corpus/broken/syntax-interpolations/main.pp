# purpose: interpolations that are not closed, hold nothing or too much
a = "${x"
b = "${}"
c = "${1 2}"
d = "${1:2}"
e = "fine"
