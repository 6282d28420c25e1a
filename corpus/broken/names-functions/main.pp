# purpose: functions that do not exist, and one that is nearly right
a = lenght([1])
b = nope(1, 2)
c = core::length([1])
d = toJson({})
