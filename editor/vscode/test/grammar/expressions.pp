# SYNTAX TEST "source.pcl" "expressions"
a = b.c[0].d["e"].1 + -2.5e3
#   ^ variable.other.pcl
#    ^ punctuation.accessor.pcl
#     ^ variable.other.member.pcl
#       ^ constant.numeric.pcl
#            ^^^ string.quoted.double.pcl
#                 ^ constant.numeric.pcl
#                   ^ keyword.operator.arithmetic.pcl
#                      ^^^^^ constant.numeric.pcl
f = length(xs...) > 2 && !true ? null : other::fn(1)
#   ^^^^^^ support.function.pcl
#            ^^^ keyword.operator.expansion.pcl
#                 ^ keyword.operator.comparison.pcl
#                     ^^ keyword.operator.logical.pcl
#                         ^^^^ constant.language.pcl
#                              ^ keyword.operator.conditional.pcl
#                                ^^^^ constant.language.pcl
#                                       ^^^^^^^^^ support.function.pcl
l = [for k, v in xs : v if k == range.key]
#    ^^^ keyword.control.pcl
#             ^^ keyword.control.pcl
#                       ^^ keyword.control.pcl
#                               ^^^^^ variable.language.pcl
#                                    ^ punctuation.accessor.pcl
m = { for v in xs : v => v..., inner = { a : 1, "b" = 2 } }
#     ^^^ keyword.control.pcl
#                     ^^ keyword.operator.arrow.pcl
#                              ^^^^^ variable.other.property.pcl
#                                        ^ variable.other.property.pcl
#                                               ^^^ string.quoted.double.pcl
s = xs[*].name + ys.*.name
#      ^ keyword.operator.splat.pcl
#                  ^^ keyword.operator.splat.pcl
n = (1 + 2) // why
#   ^ punctuation.section.parens.begin.pcl
#           ^^^^^^ comment.line.double-slash.pcl
x-y = trueish
# <--- variable.other.property.pcl
#     ^^^^^^^ variable.other.pcl
/* block
# <-- comment.block.pcl
*/
