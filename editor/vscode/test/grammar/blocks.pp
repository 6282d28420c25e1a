# SYNTAX TEST "source.pcl" "blocks"
# a comment
# <---------- comment.line.number-sign.pcl
resource pet "random:index/randomPet:RandomPet" {
# <-------- storage.type.block.pcl
#        ^^^ entity.name.type.declaration.pcl
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ string.quoted.double.label.pcl
#                                               ^ punctuation.section.block.begin.pcl
  length = 2 # behind
# ^^^^^^ variable.other.property.pcl
#        ^ keyword.operator.assignment.pcl
#          ^ constant.numeric.pcl
#            ^^^^^^^^ comment.line.number-sign.pcl
  options {
# ^^^^^^^ storage.type.block.pcl
    range = 3
#   ^^^^^ variable.other.property.pcl
  }
# ^ punctuation.section.block.end.pcl
}
# <- punctuation.section.block.end.pcl
config "quoted" "list(string)" {}
# <------ storage.type.block.pcl
#      ^^^^^^^^ string.quoted.double.label.pcl
#                              ^ punctuation.section.block.begin.pcl
#                               ^ punctuation.section.block.end.pcl
after = 1
# <----- variable.other.property.pcl
