# purpose: secrets, errors as values, and what lifting does to the types around them
config "password" "string" {
  secret = true
}
config "maybe" "any" {}

resource "server" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
}

hidden  = secret("x")
clear   = unsecret(password)
nested  = [secret(1), { deep = server.address }]
joined  = join(",", server.addresses)
text    = toJSON(nested)
length2 = length(server.addresses)
first   = element(server.addresses, 0)
picked  = try(maybe.a.b, maybe.c, "fallback")
works   = can(maybe.a)
steady  = recover(server.address, "unknown: ${error}")
sum     = length2 + 1
chosen  = server.running ? server.address : "none"
name    = pulumiResourceName(server)
type    = pulumiResourceType(server)
later   = can(notImplemented("not yet"))
