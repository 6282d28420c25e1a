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
