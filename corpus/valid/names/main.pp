# purpose: names with dashes, underscores and digits; words that are keywords elsewhere; one name in two spaces
a-b       = 1
_private  = 2
x2        = 3
for       = 4
in        = 5
if        = 6
resource  = 7
list      = 8
length    = 9
trailing- = 10
sum       = a-b + _private + x2 + for + in + if + resource + list + length + trailing-
count     = length([sum])

output "sum" {
  value = sum
}

output "onlyOutput" {
  value = 1
}

usesOutput = onlyOutput
