# Configuration is the inputs of a component; what it gives back are its outputs.
config words int {
  default     = 2
  description = "The number of words in the name."
}

resource pet "random:RandomPet" {
  length = words
}

resource secret "random:RandomPassword" {
  length = 20
}

output name {
  value = pet.id
}

output password {
  value = secret.result
}
