# purpose: what other languages write in other words
let region = "eu-west-1"
name = if true then "a" else "b"
other = not true
same = name = other
differs = name <> other
part = region?.name
fallback = region ?? "none"
double = x => x * 2
text = `in ${region}`
region.zone = "a"
list = [
  "a"
  "b"
]
object = { a = 1]
