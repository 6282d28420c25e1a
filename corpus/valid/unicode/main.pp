# purpose: names, strings and comments beyond ASCII — including combining marks, wide and right-to-left text
größe    = 42
名前       = "なまえ"
emoji    = "🚢 harbour 🏴‍☠️"
combined = "e\u0301 and é"
שלום     = "${größe} ${名前}"
object = {
  ключ  = "значение"
  "🔑" = 1
}
read1 = object.ключ
