# purpose: numbers that are none
a = 1.2.3
b = 0x10
c = 1_000
d = .5
e = 1e
f = 1
