# purpose: a resource without a type token
resource "x" {}
