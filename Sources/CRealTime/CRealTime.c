#define _GNU_SOURCE
#include "CRealTime.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t fl_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t fl_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

int fl_poll_until(struct pollfd *entries, int count, int64_t deadline_ns) {
  struct timespec left;
  struct timespec *timeout = NULL;
  if (deadline_ns < INT64_MAX / 2) {
    int64_t span = deadline_ns - fl_monotonic_ns();
    if (span < 0) span = 0;
    left.tv_sec = span / 1000000000;
    left.tv_nsec = span % 1000000000;
    timeout = &left;
  }
  int result = ppoll(entries, (nfds_t)count, timeout, NULL);
  return result == -1 ? -errno : result;
}

int fl_event_make(void) {
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return fd == -1 ? -errno : fd;
}

int fl_event_signal(int fd) {
  uint64_t one = 1;
  // A counter that is full is readable already.
  if (write(fd, &one, sizeof one) == -1 && errno != EAGAIN) return -errno;
  return 0;
}

int64_t fl_event_take(int fd) {
  uint64_t count = 0;
  if (read(fd, &count, sizeof count) == -1) return errno == EAGAIN ? 0 : -errno;
  return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}
