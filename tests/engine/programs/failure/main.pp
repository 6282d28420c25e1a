package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}

# Its directory does not exist.
resource "lost" "shelf:index:Book" {
  path = "${cwd()}/missing/lost.txt"
  text = "lost"
}

resource "dependent" "shelf:index:Book" {
  path = "${cwd()}/dependent.txt"
  text = lost.text
}

resource "independent" "shelf:index:Book" {
  path = "${cwd()}/independent.txt"
  text = "found"
}
