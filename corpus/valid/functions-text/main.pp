# purpose: encoding and hashing
config "plain" "string" {}

hash   = sha1(plain)
hidden = toBase64(plain)
shown  = fromBase64(hidden)
json   = toJSON({
  name  = plain
  list  = [1, true, null]
  inner = { deep = { deeper = {} } }
})
