# purpose: a package that no directory has; everything else is still checked
resource "a" "unheard:of:Thing" {
  x = 1
}
resource "b" "unheard:of:Other" {}
f = invoke("unseen:index:f", {})
g = missing
