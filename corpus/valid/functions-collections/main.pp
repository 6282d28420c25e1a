# purpose: functions over lists, maps, objects and tuples
config "names" "list(string)" {}
config "sizes" "map(int)" {}
config "who" "object({ first = string, last = string })" {}

second   = element(names, 1)
third    = element(["a", "b", "c"], 2)
pairs    = entries(sizes)
fields   = [for e in entries(who) : "${e.key}=${e.value}"]
joined   = join(", ", names)
mixed    = join("-", ["a", "${1}", second])
counted  = length(names)
widths   = [length(sizes), length(who), length([1, 2]), length("four")]
looked   = lookup(sizes, "small", 1)
required = lookup(sizes, "large")
numbers  = range(10)
window   = range(3, 6)
parts    = split(",", "a,b,c")
one      = singleOrNone(["only"])
biggest  = max(1, 2, 3)
smallest = min(2.5, sizes["small"])
spread   = max([1, 2, 3]...)
