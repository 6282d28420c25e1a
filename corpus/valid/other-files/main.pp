# purpose: only files that end in .pp in the directory itself belong to a program
x = 1
