/* Stands for a program: starts it with the same arguments, passes signals on to it, and when it
 * ends adds a line to a file: the microseconds of processor time and the peak memory in KiB.
 *
 * PROGRAM and USAGE are given to the compiler. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void pass_on(int number) { kill(child, number); }

int main(int count, char **arguments) {
  (void)count;
  /* The peak that the system reports for a process is at least that of the one that started it,
   * which is small here. */
  child = vfork();
  if (child == 0) {
    execv(PROGRAM, arguments);
    _exit(127);
  }
  signal(SIGINT, pass_on);
  signal(SIGTERM, pass_on);
  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
  }
  long long processor = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
                        usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  int file = open(USAGE, O_WRONLY | O_APPEND | O_CREAT, 0644);
  dprintf(file, "%lld %ld\n", processor, usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
