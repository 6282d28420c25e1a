# purpose: a file that holds nothing but comments is a program without nodes
// a line comment of the other kind
/* an inline comment
   over two lines */
