# purpose: mistakes after characters of several bytes and columns: ranges must be right
größe = "🚢🚢" + missing
名前 = { ключ = 1 }.ключь
