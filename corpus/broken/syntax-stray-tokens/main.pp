# purpose: brackets, braces and signs that belong to nothing, between good items
a = 1
)
b = 2
}
c = 3
@
d = a + b + c
