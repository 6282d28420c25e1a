# purpose: what the program tells the world, with one name misspelled
output "url" {
  value = "https://${record.fqnd}/"
}

output "addresses" "list(string)" {
  value = [for s in servers : s.address]
}

output "assetUrls" {
  value = assets.urls
}

output "inventory" {
  value = { for i, s in servers : "server-${i}" => { address = s.address, running = s.running } }
}
