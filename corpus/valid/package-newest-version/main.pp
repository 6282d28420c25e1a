# purpose: without a package block the newest version counts
resource "stamp" "stamps:index:Stamp" {
  motto  = "paid"
  colour = "red"
}
