# purpose: escapes that do not exist, end too early or name no character
a = "\q and \d+"
b = "\u12 and \U1234"
c = "\uD800"
d = "\${name}"
