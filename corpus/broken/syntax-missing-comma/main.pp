# purpose: list elements, arguments and object items without the comma between them
list   = [1 2, 3]
joined = join("," ["a", "b"])
object = { a = 1 b = 2 }
after  = 1
