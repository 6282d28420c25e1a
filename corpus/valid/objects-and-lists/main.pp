# purpose: every way to write keys, separators and nesting in objects and lists
config "key" "string" {}

empty    = {}
nothing  = []
commas   = { a = 1, b = 2, }
colons   = { a: 1, "b": 2, c = 3 }
lines = {
  a = 1
  b = 2,
  c = 3
}
quoted   = { "with space" = 1, "with-dash" = 2 }
computed = { (key) = 1, "${key}-x" = 2 }
numbers  = { 1 = "one", 2.5 = "two and a half", true = "a word" }
words    = { if = 1, in = 2, null = 3 }
list     = [1, "two", true, null, [3], { four = 4 }]
trailing = [1, 2, 3,]
broken = [
  1,

  # between
  2,
  /* before */ 3
]
nested = { a = { b = { c = [{ d = [] }] } } }
