# purpose: a comment that never ends
a = 1
/* from here on
b = 2
