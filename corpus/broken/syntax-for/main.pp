# purpose: for expressions with pieces missing or in the wrong bracket
a = [for x : x]
b = [for x in [1]]
c = { for x in [1] : x }
d = [for k, v in {} : k => v]
e = [for x in [1] : x...]
f = [for in [1] : 1]
g = 1
