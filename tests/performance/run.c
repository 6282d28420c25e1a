/* Runs a command a number of times and prints one line for each run: the nanoseconds from start to
 * end, the microseconds of processor time, the peak of its memory in KiB, and its status.
 *
 *     run TIMES LARGE COMMAND [ARGUMENT...]
 *
 * The peak that the system reports for a process is at least that of the process that started it,
 * so a small program has to start the command. LARGE is 0 to give the command no large pages and to
 * load it at the same addresses every time, which makes its peak repeatable: with random addresses
 * it varies by 5 % for a small program. Its output is discarded. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fputs("usage: run TIMES LARGE COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  int times = atoi(arguments[1]), large = atoi(arguments[2]);
  if (!large) {
    /* Where the system forbids either, figures vary more. */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    personality(ADDR_NO_RANDOMIZE);
  }
  for (int i = 0; i < times; i++) {
    long long start = now();
    pid_t child = vfork();
    if (child < 0) {
      perror("vfork");
      return 2;
    }
    if (child == 0) {
      int nothing = open("/dev/null", O_RDWR);
      dup2(nothing, 0);
      dup2(nothing, 1);
      dup2(nothing, 2);
      execv(arguments[3], arguments + 3);
      _exit(127);
    }
    int status;
    struct rusage usage;
    wait4(child, &status, 0, &usage);
    long long processor = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
                          usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    printf("%lld %lld %ld %d\n", now() - start, processor, usage.ru_maxrss,
           WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return 0;
}
