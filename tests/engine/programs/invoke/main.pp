package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}

resource "book" "shelf:index:Book" {
  path = "${cwd()}/book.txt"
  text = "written by the program"
}

# It is there before the program runs.
output "old" {
  value = invoke("shelf:index:read", { path = "${cwd()}/old.txt" }).text
}

# In a preview, the file is not there yet.
output "new" {
  value = invoke("shelf:index:read", { path = book.path }).text
}
