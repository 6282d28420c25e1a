# purpose: promises and outputs flowing through operators, templates, indexes, for and conditionals
resource "server" "harbor:compute:Server" {
  image      = invoke("harbor:compute:getImage", { name = "debian" }).id
  apiVersion = "v2"
}

zones     = invoke("harbor:network:listZones", {})
text      = "at ${server.address} in ${zones[0]}"
negated   = !server.running
compared  = server.address == "10.0.0.1"
chosen    = server.running ? zones[0] : server.address
mapped    = [for a in server.addresses : "${a}:80"]
keyed     = { for a in server.addresses : a => true }
promised  = [for z in zones : z]
splatted  = server.addresses[*]
indexed   = server.addresses[length(zones) - 1]
inObject  = { address = server.address, list = [server.id] }
both      = [server.address, zones]

output "inside" {
  value = inObject.list[0]
}
