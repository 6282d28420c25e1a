config words int {
  default     = 2
  description = "The number of words in the name."
}

resource pet "random:RandomPet" {
  length = words
}

resource password "random:RandomPassword" {
  length  = 20
  special = true
}

output name {
  value = pet.id
}

output password {
  value = password.result
}
