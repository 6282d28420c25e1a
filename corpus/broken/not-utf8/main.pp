a = "café"
b = missing
# ÿþ
c = 1
