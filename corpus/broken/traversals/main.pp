# purpose: steps into what has no such part
config "text" "string" {}
config "shape" "object({ name = string })" {}
resource "bucket" "harbor:storage:Bucket" {}
a = text.length
b = shape.nmae
c = bucket.nothing
d = [1, 2][2]
e = [1, 2]["x"]
f = bucket.URL
g = { a = 1 }.b.c
h = 5[0]
i = bucket.url.host
