#define _GNU_SOURCE
#include "CDevices.h"

#include <errno.h>
#include <time.h>

int cdevices_semaphore_wait(sem_t *_Nonnull semaphore, long milliseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec += milliseconds % 1000 * 1000000;
    deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline) == 0 ? 0 : errno;
}
