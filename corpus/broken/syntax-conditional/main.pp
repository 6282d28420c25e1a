# purpose: a conditional without its second half, a parenthesis and an index that stay open
a = true ? 1
b = (1 + 2
c = [1, 2][0
d = 1
