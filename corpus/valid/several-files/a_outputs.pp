# purpose: one program in three files; references go forwards and across the files
output "address" {
  value = server.address
}

output "greeting" {
  value = greeting
}
