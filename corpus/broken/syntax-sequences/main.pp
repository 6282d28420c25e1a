# purpose: interpolations and directives that do not end, and a block closed twice
config "names" "list(string)" {
}}

listed = "%{ for name in names }${name} %{ end }"
chosen = [for in names : 1]
second = [for name, in names : 1]
unclosed = "hello ${length(names)"
