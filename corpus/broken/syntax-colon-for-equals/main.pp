# purpose: a colon where an attribute wants an equals sign
name: "harbour"

config "size" "int" {
  default: 3
}

after = 1
