# purpose: a string without its closing quote, and a mistake of another kind two lines later
name = "harbour
size = 3
other = unknownName
