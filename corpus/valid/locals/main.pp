# purpose: locals that refer forwards, backwards and through objects
total = width * height
width = 3
height = base.height + 1
base = {
  height = 4
  label  = "box ${total}"
}
alias = base
label = alias.label
