# purpose: semicolons at the ends of lines
a = 1;
config "b" "int" { default = 2; }
c = [1; 2]
d = 4
