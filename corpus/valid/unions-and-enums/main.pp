# purpose: discriminated unions, unions of scalars, enums of strings, integers and numbers
config "where" "string" {}

resource "mail" "harbor:alert:Alert" {
  expression = "cpu > 0.9"
  target     = { kind = "mail", address = where }
}

resource "hook" "harbor:alert:Alert" {
  expression = "disk > 0.8"
  target = {
    kind    = "hook"
    url     = "https://example.com/${where}"
    retries = 3
  }
  fallbacks = [
    { kind = "mail", address = "ops@example.com" },
    { kind = "hook", url = "https://example.com/last" }
  ]
}

resource "pager" "harbor:alert:Alert" {
  expression = "down"
  target     = { kind = "pager", numbers = ["1", "2"] }
}

resource "byNumber" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
  tier       = 4
  portName   = 80
}

resource "byName" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
  portName   = "http"
}

resource "bucket" "harbor:storage:Bucket" {
  durability = 0.999
}
