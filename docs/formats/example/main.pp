names = ["north", "south"]
size  = lenght(names)
