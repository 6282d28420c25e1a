package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}

resource "first" "shelf:index:Book" {
  path  = "${cwd()}/first.txt"
  text  = "first"
  delay = 3
}

resource "second" "shelf:index:Book" {
  path = "${cwd()}/second.txt"
  text = first.text
}
