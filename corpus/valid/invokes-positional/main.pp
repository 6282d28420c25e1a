# purpose: functions that take their inputs by position
padded  = invoke("mathx:text:pad", "7", 3, "0").result
shorter = invoke("mathx:text:pad", "7", 3).result
clamped = invoke("mathx:index:clamp", 12.5, 0, 10)
lowOnly = invoke("mathx::clamp", -3, 0)
skipped = invoke("mathx::clamp", 99, null, 10, { version = "0.3.1" })
total   = invoke("mathx:index:sum", { values = [1, 2.5, clamped] }).total
circle  = invoke("mathx:index:pi", {}) * 2
