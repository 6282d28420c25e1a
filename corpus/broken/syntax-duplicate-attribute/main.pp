# purpose: one attribute twice in a block, and a local twice in a file
config "size" "int" {
  default = 1
  default = 2
}
local = 1
local = 2
