#ifndef CDEVICES_H
#define CDEVICES_H

#include <semaphore.h>
#include <stdint.h>

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

/// Waits for a semaphore until so many milliseconds have passed by CLOCK_MONOTONIC.
///
/// glibc declares `sem_clockwait` for GNU sources alone, which Swift's import is not.
///
/// @return 0, or an errno: ETIMEDOUT, EINTR.
int cdevices_semaphore_wait(sem_t *_Nonnull semaphore, long milliseconds);

/// How a thread is to be started.
struct fl_thread_options {
  /// 0 for an ordinary thread, 1…99 for SCHED_FIFO.
  int priority;
  /// A CPU number, or -1 for any.
  int cpu;
  uint64_t stack_bytes;
};

typedef void *_Nullable (*fl_thread_body)(void *_Nullable context);

/// Starts a thread: 0 and its handle, or -errno. The priority is part of the start, so that it holds from the first
/// instruction on.
int fl_thread_start(const struct fl_thread_options *_Nonnull options,
                    fl_thread_body _Nonnull body, void *_Nullable context,
                    uint64_t *_Nonnull thread);
/// Waits for its end.
int fl_thread_join(uint64_t thread);
/// Lets it end by itself.
int fl_thread_leave(uint64_t thread);
/// Names the calling thread for tools such as top; at most 15 characters count.
int fl_thread_name_self(const char *_Nonnull name);
/// Fills the unused part of the calling thread's stack with a pattern: it is resident from then on, and
/// fl_stack_used returns how much of it was used since. 0, or -errno.
int fl_stack_fill(void);
/// The most bytes of the calling thread's stack that were in use at once, or -errno; after fl_stack_fill.
int64_t fl_stack_used(void);
/// How many CPUs this process may use.
int fl_cpu_count(void);

#endif
