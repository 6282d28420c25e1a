# purpose: invokes without token, with one that is no literal, unknown or malformed, with wrong arguments
token = "harbor:index:getRegion"
a     = invoke()
b     = invoke(token, {})
c     = invoke("harbor:index:getRegin", {})
d     = invoke("harbor", {})
e     = invoke("harbor:index:getRegion")
f     = invoke("harbor:compute:getImage", { nam = "debian" })
g     = invoke("harbor:compute:getImage", { name = ["a"] })
h     = invoke("mathx:text:pad", { text = "7", width = 3 })
i     = invoke("mathx:text:pad", "7")
j     = invoke("harbor:index:getRegion", {}, { versoin = "1.0.0" })
k     = invoke("harbor:index:getRegion", {}, 5)
l     = invoke("nowhere:index:f", {})
