config "prefix" "string" {
  default = "zoo"
}

sizes = [4, 8]

# one cage for each size
resource "cage" "zoo:index:Cage" {
  bars  = sizes[0] * 2
  label = "${prefix}-${stack()}"
}

output "label" {
  value = cage.label
}
