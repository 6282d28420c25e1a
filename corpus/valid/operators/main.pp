# purpose: all operators, their precedence and how they break over lines
config "a" "int" {}
config "b" "number" {}
config "t" "bool" {}

arithmetic = 1 + 2 * 3 - 4 / 5 % 6
grouped    = (1 + 2) * (3 - 4)
negative   = -a
twice      = --1
notNot     = !!t
mixed      = -a * b
comparing  = a < b && a <= b || a > b && a >= b
equality   = a == b != t
logic      = t || !t && true
chosen     = t ? 1 : t ? 2 : 3
broken = (
  a
  + b
  - 1
)
wrapped = t ? {
  yes = true
} : {
  yes = false
}
exponents = 1e3 + 1.5e-2 + 2E+4
big       = 123456789012345678901234567890
tiny      = 0.000000000000000000001
