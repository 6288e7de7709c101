#define _GNU_SOURCE
#include "CRealTime.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ptp_clock.h>
#include <string.h>
#include <sys/ioctl.h>

_Static_assert(sizeof(struct ptp_clock_time) == 16, "ptp_clock_time");
_Static_assert(sizeof(struct ptp_sys_offset_precise) == 64, "ptp_sys_offset_precise");
_Static_assert(PTP_MAX_SAMPLES == 25, "PTP_MAX_SAMPLES");

static int request(int fd, unsigned long number, void *argument) {
  int result;
  do {
    result = ioctl(fd, number, argument);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : 0;
}

static int64_t nanoseconds(const struct ptp_clock_time *time) {
  return (int64_t)time->sec * 1000000000 + time->nsec;
}

int fl_ptp_open(const char *path) {
  int fd;
  do {
    fd = open(path, O_RDONLY | O_CLOEXEC);
  } while (fd == -1 && errno == EINTR);
  return fd == -1 ? -errno : fd;
}

// FD_TO_CLOCKID of the kernel's documentation (Documentation/driver-api/ptp.rst): a macro of no header.
int fl_ptp_clock(int fd) { return (int)((~(unsigned int)fd << 3) | 3); }

int fl_ptp_precise(int fd, int64_t *times) {
  struct ptp_sys_offset_precise answer;
  memset(&answer, 0, sizeof answer);
  int result = request(fd, PTP_SYS_OFFSET_PRECISE, &answer);
  if (result < 0) return result;
  times[0] = nanoseconds(&answer.device);
  times[1] = nanoseconds(&answer.sys_realtime);
  times[2] = nanoseconds(&answer.sys_monoraw);
  return 0;
}

int fl_ptp_extended(int fd, int count, int host_clock, int64_t *times) {
  struct ptp_sys_offset_extended answer;
  if (count < 1 || count > PTP_MAX_SAMPLES) return -EINVAL;
  memset(&answer, 0, sizeof answer);
  answer.n_samples = (unsigned int)count;
  // Called `clockid` since 6.12; kernels before want it to be zero, which is CLOCK_REALTIME.
  answer.rsv[0] = (unsigned int)host_clock;
  int result = request(fd, PTP_SYS_OFFSET_EXTENDED2, &answer);
  // The first kernels with the request know it by its first number only, which ignores what is reserved.
  if (result == -ENOTTY && host_clock == 0) {
    result = request(fd, PTP_SYS_OFFSET_EXTENDED, &answer);
  }
  if (result < 0) return result;
  for (int sample = 0; sample < count; sample++) {
    for (int part = 0; part < 3; part++) {
      times[3 * sample + part] = nanoseconds(&answer.ts[sample][part]);
    }
  }
  return count;
}

int fl_ptp_offset(int fd, int count, int64_t *times) {
  struct ptp_sys_offset answer;
  if (count < 1 || count > PTP_MAX_SAMPLES) return -EINVAL;
  memset(&answer, 0, sizeof answer);
  answer.n_samples = (unsigned int)count;
  int result = request(fd, PTP_SYS_OFFSET, &answer);
  if (result < 0) return result;
  // Host and clock in turn, the host first and last.
  for (int sample = 0; sample < count; sample++) {
    for (int part = 0; part < 3; part++) {
      times[3 * sample + part] = nanoseconds(&answer.ts[2 * sample + part]);
    }
  }
  return count;
}
