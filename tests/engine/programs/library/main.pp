package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}

config "name" "string" {
  default = "poems"
}

config "text" "string" {
  default = "roses are red"
}

config "password" "string" {
  secret = true
}

resource "poems" "shelf:index:Book" {
  path = "${cwd()}/${name}.txt"
  text = text
}

resource "diary" "shelf:index:Book" {
  path = "${cwd()}/diary.txt"
  text = "the password is ${password}"
}

output "place" {
  value = poems.path
}

output "length" {
  value = poems.length
}

output "diary" {
  value = diary.text
}
