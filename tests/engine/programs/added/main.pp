# The `package` block is added by `pulumi package add`.
resource "book" "shelf:index:Book" {
  path = "${cwd()}/book.txt"
  text = "added"
}
