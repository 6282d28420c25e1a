# purpose: a type label that does not parse
config "a" "list(" {}
output "b" "map(string" {
  value = {}
}
config "c" "" {}
