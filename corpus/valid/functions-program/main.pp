# purpose: functions that tell about the running program
where = "${organization()}/${project()}/${stack()}"
here  = cwd()
root  = rootDirectory()
