
# group NUMBER
config "prefixNUMBER" "string" {
  default     = "pNUMBER"
  description = "The prefix of group NUMBER"
}

wordsNUMBER = ["alphaNUMBER", "beta-NUMBER", "gamma ${prefixNUMBER}"]

resource "petNUMBER" "random:index/randomPet:RandomPet" {
  length    = 2 + MODULO7
  prefix    = "${prefixNUMBER}-${petBEFORE.id}"
  separator = "-"
  keepers = {
    "group" = "NUMBER"
    previous = petBEFORE.id
  }
  options {
    protect   = IS_ODD
    dependsOn = [petBEFORE]
  }
}

resource "pwNUMBER" "random:index/randomPassword:RandomPassword" {
  length          = max(16, MODULO40)
  special         = true
  overrideSpecial = "_%@"
  keepers = { pet = petNUMBER.id }
}

lengthsNUMBER = [for n in wordsBEFORE : length(n)]

namesNUMBER = { for k, v in { a = petNUMBER.id, b = pwNUMBER.result } : k => "${v}-NUMBER" }

pickNUMBER = NUMBER % 2 == 0 ? namesNUMBER.a : element(wordsNUMBER, MODULO3)

output "outNUMBER" {
  value = {
    id    = petNUMBER.id
    json  = toJSON({ pet = petNUMBER.id, words = wordsNUMBER, n = NUMBER })
    parts = split("-", pickNUMBER)
  }
}
