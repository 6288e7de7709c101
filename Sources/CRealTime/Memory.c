#define _GNU_SOURCE
#include "CRealTime.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int fl_timers_exact(void) { return prctl(PR_SET_TIMERSLACK, 1UL) < 0 ? -errno : 0; }

int fl_memory_lock(void) { return mlockall(MCL_CURRENT | MCL_FUTURE) == -1 ? -errno : 0; }
int fl_memory_unlock(void) { return munlockall() == -1 ? -errno : 0; }
