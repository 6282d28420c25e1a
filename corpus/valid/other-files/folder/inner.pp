# purpose: never read: it lies in a folder that nobody names
x = broken(
