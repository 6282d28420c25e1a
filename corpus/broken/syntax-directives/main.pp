# purpose: directives without end, with the wrong end, unknown and misspelled
a = "%{ if true }yes"
b = "%{ for x in [1] }${x}%{ endif }"
c = "%{ while true }%{ endwhile }"
d = "%{ esle }"
e = "%{ if true }1%{ else }2%{ else }3%{ endif }"
f = "fine"
