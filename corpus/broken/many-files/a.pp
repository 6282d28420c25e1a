# purpose: three files with a mistake each: all are reported, each in its own file
a = missingInA
