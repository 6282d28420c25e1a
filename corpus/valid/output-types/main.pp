# purpose: outputs with and without a declared type, converted and not
config "count" "int" {}

output "untyped" {
  value = count
}
output "asText" "string" {
  value = count
}
output "asList" "list(string)" {
  value = [count, "two", true]
}
output "asObject" "object({ n = number })" {
  value = { n = count }
}
output "hidden" {
  value = secret(count)
}
output "several" {
  value = {
    a = count
    b = [count]
  }
}
