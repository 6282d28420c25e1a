# purpose: values nested deeper than people write them, yet within the limits
lists   = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["deep"]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
objects = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = { a = 1 } } } } } } } } } } }
parens  = ((((((((((((((((((((1))))))))))))))))))))
strings = "1${"2${"3${"4${"5${"6${"7${"8"}"}"}"}"}"}"}"
down    = objects.a.a.a.a.a.a.a.a.a.a.a
chain   = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20
choice  = true ? 1 : true ? 2 : true ? 3 : true ? 4 : true ? 5 : true ? 6 : true ? 7 : 8
