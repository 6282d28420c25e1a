# purpose: the second of two files that declare the same name
shared = 2
user   = shared
