# Books with the same text.

config directory string {
  description = "The directory of the files"
}

config texts "map(string)" {
  description = "The texts by the names of the files"
  default     = {}
}

config password string {
  secret   = true
  nullable = true
}

resource book "shelf:index:Book" {
  options {
    range = texts
  }
  path = "${directory}/${range.key}.txt"
  text = range.value
}

resource diary "shelf:index:Book" {
  options {
    range = password != null
  }
  path = "${directory}/diary.txt"
  text = "the password is ${password}"
}

output lengths {
  value = { for name, one in book : name => one.length }
}

output diary {
  value = password
}

output note {
  value = readFile("note.txt")
}
