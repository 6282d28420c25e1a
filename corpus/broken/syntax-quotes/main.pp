# purpose: single quotes, curly quotes and backticks around strings
a = 'single'
b = “curly”
c = `ticked`
d = "right"
