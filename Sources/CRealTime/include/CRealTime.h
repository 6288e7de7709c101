// What the real-time side needs from libc and does not get from Swift: CPU sets, an absolute-deadline wait, signals.
//
// Every function returns >= 0, or -errno.
#pragma once

#include <poll.h>
#include <stdint.h>

#ifdef __clang__
#define FL_RT __attribute__((swift_attr("@_noLocks")))
#else
#define _Nonnull
#define _Nullable
#define FL_RT
#endif

// Clocks.

/// CLOCK_MONOTONIC in nanoseconds.
FL_RT int64_t fl_monotonic_ns(void);
/// CLOCK_REALTIME in nanoseconds.
FL_RT int64_t fl_realtime_ns(void);

// Waiting.

/// Waits until a descriptor is ready or CLOCK_MONOTONIC reaches `deadline_ns`; INT64_MAX / 2 and more mean "no deadline".
///
/// Returns how many descriptors are ready, 0 at the deadline, -EINTR if a signal came.
FL_RT int fl_poll_until(struct pollfd *_Nonnull entries, int count, int64_t deadline_ns);

/// Makes an event counter: its descriptor, non-blocking.
int fl_event_make(void);
/// Makes it readable; may be called from any thread and from a signal handler.
FL_RT int fl_event_signal(int fd);
/// Makes it unreadable again: how often it was signalled since.
FL_RT int64_t fl_event_take(int fd);

// Threads and memory.

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
/// Names the calling thread for tools such as top; at most 15 characters count.
int fl_thread_name_self(const char *_Nonnull name);
/// How many CPUs this process may use.
int fl_cpu_count(void);

/// Locks all memory, present and future, into RAM.
int fl_memory_lock(void);
/// Undoes it.
int fl_memory_unlock(void);

// Signals.

/// Counts SIGINT, SIGTERM and SIGHUP (unless that is ignored) from now on instead of dying of them, and ignores SIGPIPE:
/// the descriptor of an event counter that each of them makes readable.
int fl_interrupts_catch(void);
/// How many came.
FL_RT int fl_interrupts_count(void);
/// Gives the signals their usual meaning back, except for SIGPIPE.
int fl_interrupts_release(void);
