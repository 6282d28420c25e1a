# purpose: operands, conditions, keys and arguments of the wrong type
config "list" "list(string)" {}
a = list + 1
b = !list
c = list ? 1 : 2
d = -{ a = 1 }
e = { (list) = 1 }
f = [1, 2][list]
g = [for x in 5 : x]
h = list && true
i = join(1, "x", 2)
