# purpose: the first of two files that declare the same name
shared = 1
