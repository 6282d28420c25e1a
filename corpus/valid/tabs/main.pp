# purpose: tabs for indentation and around operators
resource	"bucket"	"harbor:storage:Bucket"	{
	versions	=	1	+	2
	labels = {
		a = "b	c"
	}
}
