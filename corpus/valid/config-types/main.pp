# purpose: every type that a config or output label can name, bare and quoted
config anything {}
config "quotedName" {}
config flag bool {}
config "count" "int" {}
config "ratio" "number" {}
config "title" "string" {}
config "whatever" "any" {}
config "names" "list(string)" {}
config "ports" "set(int)" {}
config "weights" "map(number)" {}
config "pair" "tuple([string, int])" {}
config "maybe" "optional(string)" {}
config "shape" "object({ name = string, size: int, nested = object({ deep = bool }) })" {}
config "shapes" "list(object({ name = string }))" {}
config "byName" "map(object({ size = int }))" {}
config "grid" "list(list(int))" {}
config "longOne" "object({ a = list(map(string)), b = optional(tuple([any, bool])) })" {}

sum = "${title}: ${names[0]} of ${byName["x"].size} at ${grid[0][1]}"

output "pairOut" "tuple([string, int])" {
  value = pair
}
output "shapeName" "string" {
  value = shape.name
}
