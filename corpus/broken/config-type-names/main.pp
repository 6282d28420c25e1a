# purpose: type labels that parse and name no type
config "a" "strng" {}
config "b" "list" {}
config "c" "list(string, int)" {}
config "d" "object(string)" {}
config "e" "tuple(string)" {}
config "f" "optional()" {}
config "g" "array(string)" {}
config "h" "1" {}
config "i" "[string]" {}

# Types as other languages call them.
config "names" "array(string)" {}
config "ratio" "float" {}
config "enabled" "list(boolean)" {}
config "size" "intger" {}
