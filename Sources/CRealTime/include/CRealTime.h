// What the real-time side needs from libc and does not get from Swift: an absolute-deadline wait, clocks, signals.
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
/// What clock_getres(2) returns for CLOCK_MONOTONIC in nanoseconds; 0 if it fails.
int64_t fl_monotonic_resolution_ns(void);

/// Reads a clock between two readings of CLOCK_MONOTONIC: `times` gets before, reading, after in nanoseconds.
///
/// `clock` is a clockid_t, also one made of a descriptor (`fl_ptp_clock`). Returns 0, or -errno.
FL_RT int fl_clock_sandwich(int clock, int64_t *_Nonnull times);

/// How the kernel disciplines CLOCK_REALTIME.
struct fl_discipline {
  int64_t offset_ns;
  int64_t maximum_error_us;
  int64_t estimated_error_us;
  /// Parts per million, in 65536ths.
  int64_t frequency;
  int32_t tai_s;
  int32_t status;
};

/// Asks adjtimex(2), changing nothing: 0, or -errno.
int fl_clock_discipline(struct fl_discipline *_Nonnull discipline);

// PTP hardware clocks (linux/ptp_clock.h).

/// Opens a clock's device file for reading: its descriptor, or -errno.
int fl_ptp_open(const char *_Nonnull path);
/// The clockid_t of an open clock.
FL_RT int fl_ptp_clock(int fd);
/// One reading with the host's own at the same moment, by the hardware: `times` gets the clock, CLOCK_REALTIME and
/// CLOCK_MONOTONIC_RAW. Returns 0, or -errno (EOPNOTSUPP where the hardware can't).
int fl_ptp_precise(int fd, int64_t *_Nonnull times);
/// Up to 25 sandwiches of a clock by its driver, host before, clock, host after: how many, or -errno.
///
/// `host_clock` is CLOCK_REALTIME, or another that kernels since 6.12 know; -EINVAL or -EOPNOTSUPP where they don't.
int fl_ptp_extended(int fd, int count, int host_clock, int64_t *_Nonnull times);
/// The same by the kernel without the driver's help, always with CLOCK_REALTIME.
int fl_ptp_offset(int fd, int count, int64_t *_Nonnull times);

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

// Timers and memory.

/// Has the kernel end the calling thread's waits at their deadlines, not up to 50 us later (PR_SET_TIMERSLACK).
int fl_timers_exact(void);

/// Locks all memory, present and future, into RAM.
int fl_memory_lock(void);
/// Undoes it.
int fl_memory_unlock(void);

// Signals.

/// Counts SIGINT, SIGTERM and SIGHUP (unless that is ignored) from now on instead of dying of them, and ignores SIGPIPE
/// and SIGXFSZ: the descriptor of an event counter that each of them makes readable.
int fl_interrupts_catch(void);
/// How many came.
FL_RT int fl_interrupts_count(void);
/// Gives the signals their usual meaning back, except for SIGPIPE and SIGXFSZ.
int fl_interrupts_release(void);
