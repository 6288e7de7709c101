#ifndef CDEVICES_H
#define CDEVICES_H

#include <semaphore.h>

/// Waits for a semaphore until so many milliseconds have passed by CLOCK_MONOTONIC.
///
/// glibc declares `sem_clockwait` for GNU sources alone, which Swift's import is not.
///
/// @return 0, or an errno: ETIMEDOUT, EINTR.
int cdevices_semaphore_wait(sem_t *semaphore, long milliseconds);

#endif
