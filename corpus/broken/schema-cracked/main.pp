# purpose: a package whose schema is broken in places: the sound member works, the others say why not
resource "sound" "cracked:index:Sound" {
  text = "fine"
}
resource "dangling" "cracked:index:Dangling" {
  half = { whole = "x" }
}
resource "shapeless" "cracked:index:Shapeless" {
  blob = 1
}
resource "handless" "cracked:index:Handless" {}
resource "unlisted" "cracked:index:Unlisted" {
  text = "x"
}
