# purpose: members of a discriminated union with parts missing, misspelled or of another member
resource "a" "harbor:alert:Alert" {
  expression = "x"
  target     = { kind = "mail" }
}
resource "b" "harbor:alert:Alert" {
  expression = "x"
  target     = { kind = "pigeon", address = "roof" }
}
resource "c" "harbor:alert:Alert" {
  expression = "x"
  target     = { kind = "pager", numbers = { first = 1 } }
}
resource "d" "harbor:alert:Alert" {
  expression = "x"
  target     = { kind = 5, address = "x" }
}
