# purpose: the file with a type error
c = [1] + 1
