# purpose: defaults that do not fit the type, literals where literals are required
config "a" "list(string)" {
  default = "not a list"
}
config "b" "object({ n = int })" {
  default = [1]
}
config "c" "string" {
  description = "for ${a}"
}
config "d" "string" {
  secret = "yes"
}
config "e" "string" {
  nullable      = 1
  __logicalName = e
}
