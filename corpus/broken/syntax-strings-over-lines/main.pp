# purpose: strings that go on in the next line, and quotes too many
greeting = "hello
world"
after = 1

resource " "random:index:RandomPet" {
}

config "size" {
  " = 3
}
