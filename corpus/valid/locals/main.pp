# purpose: locals that refer forwards, backwards and through objects
total = width * height
width = 3
height = base.height + 1
base = {
  height = 4
  label  = "box"
}
alias = base
label = "${alias.label} of ${total}"
