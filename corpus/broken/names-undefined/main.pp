# purpose: references to names that nothing defines, some of them nearly right
config "serverCount" "int" {}
a = servercount + 1
b = nobody
c = nobody.knows["me"]
d = [for x in [1] : y]
e = range.value
