# purpose: calling what cannot be called, and names with broken namespaces
a = { f = 1 }.f(2)
b = (length)([1])
c = text::()
d = text::upper
e = f(1,, 2)
g = length(xs... , 1)
