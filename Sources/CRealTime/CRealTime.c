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
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t fl_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t fl_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

int64_t fl_monotonic_resolution_ns(void) {
  struct timespec step;
  if (clock_getres(CLOCK_MONOTONIC, &step) == -1) return 0;
  return (int64_t)step.tv_sec * 1000000000 + step.tv_nsec;
}

int fl_clock_sandwich(int clock, int64_t *times) {
  struct timespec before, reading, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  int result = clock_gettime((clockid_t)clock, &reading);
  clock_gettime(CLOCK_MONOTONIC, &after);
  if (result == -1) return -errno;
  times[0] = (int64_t)before.tv_sec * 1000000000 + before.tv_nsec;
  times[1] = (int64_t)reading.tv_sec * 1000000000 + reading.tv_nsec;
  times[2] = (int64_t)after.tv_sec * 1000000000 + after.tv_nsec;
  return 0;
}

int fl_clock_discipline(struct fl_discipline *discipline) {
  struct timex state;
  memset(&state, 0, sizeof state);
  if (adjtimex(&state) == -1) return -errno;
  discipline->offset_ns = state.status & STA_NANO ? state.offset : (int64_t)state.offset * 1000;
  discipline->maximum_error_us = state.maxerror;
  discipline->estimated_error_us = state.esterror;
  discipline->frequency = state.freq;
  discipline->tai_s = state.tai;
  discipline->status = state.status;
  return 0;
}

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
