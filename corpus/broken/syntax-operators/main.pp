# purpose: operators of other languages
a = 1 & 2
b = true and false
c = 2 ** 3
d = 1 === 1
e = +1
f = !
g = 1
