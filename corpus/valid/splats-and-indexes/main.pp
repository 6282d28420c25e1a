# purpose: splats of both kinds, indexes of all kinds, legacy indexes
config "people" "list(object({ name = string, tags = list(string), home = object({ city = string }) }))" {}
config "sizes" "map(int)" {}
config "which" "int" {}

names     = people[*].name
cities    = people[*].home.city
firstTags = people[*].tags[0]
attrNames = people.*.name
attrFirst = people.*.name[0]
single    = "x"[*]
one       = people[0]
same      = people.0.name
computed  = people[which].name
negative  = people[which - 1]
mapped    = sizes["small"]
dotted    = sizes.small
dynamic   = sizes["s${which}"]
tuple     = [1, "a", true][1]
object    = { a = { b = [10, 20] } }.a.b[1]
chained   = people[0].tags[which]
paren     = (people)[0].name
onCall    = split(",", "a,b")[1]
