# purpose: quoted templates: interpolation, escapes, strip markers, nesting and what is no escape
config "name" "string" {}

plain      = "no parts"
empty      = ""
one        = "${name}"
around     = "<${name}>"
two        = "${name}${name}"
nested     = "a ${"b ${"c ${name}"}"}"
escapes    = "tab\t newline\n return\r quote\" backslash\\ short\u00e9 long\U0001F600"
dollars    = "$${name} %%{ if } $ % $$ 100% $other"
stripped   = "a   ${~ name ~}   b"
sum        = "${1 + 2} and ${[1, 2][0]} and ${{ a = 1 }.a}"
broken     = "${
  name
}"
commented  = "${/* here */ name}"
conditions = "%{ if name == "x" }is x%{ else }is ${name}%{ endif }"
noElse     = "%{ if true ~} yes %{~ endif }"
loops      = "%{ for i, c in ["a", "b"] }${i}:${c} %{ endfor }"
deep       = "%{ for x in [1, 2] }%{ if x > 1 }${x}%{ endif }%{ endfor }"
