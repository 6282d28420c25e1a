# purpose: inputs of a component that are missing, unknown or of the wrong type
component "a" "./part" {}
component "b" "./part" {
  size = "x"
  nmae = "y"
}
component "c" "./part" {
  name = ["a"]
  size = { a = 1 }
}
component "d" "./part" {
  name  = "x"
  token = "a:b:c"
}
value = a.nothing
