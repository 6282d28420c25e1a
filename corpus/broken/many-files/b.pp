# purpose: the file with a syntax error
b = = 1
