#include "CRealTime.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

// One per process, as signals are.
static atomic_int interrupt_count;
static atomic_int interrupt_event = -1;

static void count_interrupt(int signal_number) {
  // The end of a login session sends SIGTERM and SIGHUP together; that is one request, not two.
  if (signal_number == SIGHUP && atomic_load(&interrupt_count) > 0) return;
  int saved = errno;
  atomic_fetch_add(&interrupt_count, 1);
  int event = atomic_load(&interrupt_event);
  if (event >= 0) fl_event_signal(event);
  errno = saved;
}

static int set_action(int signal_number, void (*action)(int)) {
  struct sigaction handler;
  memset(&handler, 0, sizeof handler);
  handler.sa_handler = action;
  // Writers in other threads go on; poll ends anyway.
  handler.sa_flags = SA_RESTART;
  sigemptyset(&handler.sa_mask);
  return sigaction(signal_number, &handler, NULL) == -1 ? -errno : 0;
}

static int set_actions(void (*action)(int)) {
  struct sigaction hangup;
  int result = set_action(SIGINT, action);
  if (result == 0) result = set_action(SIGTERM, action);
  if (result == 0 && sigaction(SIGHUP, NULL, &hangup) == -1) result = -errno;
  // Under nohup it is ignored, and stays so.
  if (result == 0 && hangup.sa_handler != SIG_IGN) result = set_action(SIGHUP, action);
  return result;
}

// A program that was started by a thread with blocked signals (a service, a thread pool) inherits that: it could be neither
// interrupted nor ended. Threads that are made later inherit what is set here.
static int let_through(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return -pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

int fl_interrupts_catch(void) {
  int event = atomic_load(&interrupt_event);
  if (event < 0) {
    event = fl_event_make();
    if (event < 0) return event;
    atomic_store(&interrupt_event, event);
  }
  atomic_store(&interrupt_count, 0);
  int result = set_actions(count_interrupt);
  // The reader of the program's output may leave before it is done.
  if (result == 0) result = set_action(SIGPIPE, SIG_IGN);
  // A file that reached the limit of `ulimit -f` is an error of the write, like a full disk.
  if (result == 0) result = set_action(SIGXFSZ, SIG_IGN);
  if (result == 0) result = let_through();
  return result < 0 ? result : event;
}

int fl_interrupts_count(void) { return atomic_load(&interrupt_count); }

// The counter stays open: a handler that runs just now may still signal it.
//
// SIGPIPE and SIGXFSZ stay ignored: the verdict is still to be written, and is the exit code whether anything reads it
// or not.
int fl_interrupts_release(void) { return set_actions(SIG_DFL); }
