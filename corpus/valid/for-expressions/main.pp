# purpose: every form of the for expression
config "names" "list(string)" {}
config "sizes" "map(int)" {}

lengths   = [for n in names : length(n)]
indexed   = [for i, n in names : "${i}: ${n}"]
filtered  = [for n in names : n if n != "skip"]
fromMap   = [for k, v in sizes : "${k}=${v}"]
fromTuple = [for x in [1, "two", true] : x]
fromShape = [for k, v in { a = 1, b = "two" } : { key = k, value = v }]
keyed     = { for n in names : n => length(n) }
indexKey  = { for i, n in names : n => i if i > 0 }
grouped   = { for n in names : length(n) => n... }
nested    = [for n in names : [for m in names : "${n}${m}"]]
shadowed  = [for names in names : names]
broken    = [
  for k,
  v in sizes :
  k
  if v > 1
]
oddNames = [for in in names : in]
