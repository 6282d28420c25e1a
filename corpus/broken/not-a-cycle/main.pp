# purpose: what looks like a cycle and is none: a local variable or a function of the same name; one real mistake follows
x      = [for x in [1, 2] : x]
length = length([1])
args   = 1
hook "resource" "h" {
  command = [args.name]
}
wrong = missing
