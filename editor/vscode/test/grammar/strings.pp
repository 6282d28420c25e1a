# SYNTAX TEST "source.pcl" "strings and templates"
a = "x\n ${upper(b)} $${no} %%{no} %{ if c }y%{ endif }"
#   ^ punctuation.definition.string.begin.pcl
#     ^^ constant.character.escape.pcl
#        ^^ punctuation.section.interpolation.begin.pcl
#          ^^^^^ support.function.pcl
#                  ^ punctuation.section.interpolation.end.pcl
#                    ^^ constant.character.escape.pcl
#                           ^^ constant.character.escape.pcl
#                                  ^^ punctuation.section.interpolation.begin.pcl
#                                     ^^ keyword.control.pcl
#                                           ^ string.quoted.double.pcl - meta.directive.pcl
#                                               ^^^^^ keyword.control.pcl
b = "bad \q"
#        ^^ invalid.illegal.escape.pcl
c = "${{ a = "}" }}" + 1
#    ^^ punctuation.section.interpolation.begin.pcl
#       ^ meta.interpolation.pcl
#            ^^^ string.quoted.double.pcl
#                    ^ keyword.operator.arithmetic.pcl
d = <<-END
#   ^^^ punctuation.definition.string.begin.pcl
#      ^^^ keyword.other.heredoc.pcl
  text ${e}
# ^^^^ string.unquoted.heredoc.pcl
#      ^^ punctuation.section.interpolation.begin.pcl
  END
# ^^^ keyword.other.heredoc.pcl
f = 1
# <- variable.other.property.pcl
# pcl: ignore unused-local
# ^^^^ keyword.other.directive.pcl
#      ^^^^^^ keyword.other.directive.pcl
