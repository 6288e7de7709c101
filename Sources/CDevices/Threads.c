#define _GNU_SOURCE
#include "CDevices.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

// Explicit for an ordinary thread too: what starts it may have a real-time priority that is to be its alone.
static int set_priority(pthread_attr_t *attributes, int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  int error = pthread_attr_setinheritsched(attributes, PTHREAD_EXPLICIT_SCHED);
  if (!error) error = pthread_attr_setschedpolicy(attributes, priority > 0 ? SCHED_FIFO : SCHED_OTHER);
  if (!error) error = pthread_attr_setschedparam(attributes, &parameters);
  return error;
}

int fl_thread_start(const struct fl_thread_options *options, fl_thread_body body, void *context,
                    uint64_t *thread) {
  pthread_attr_t attributes;
  pthread_t started;
  int error = pthread_attr_init(&attributes);
  if (error) return -error;
  error = pthread_attr_setstacksize(&attributes, options->stack_bytes);
  if (!error) error = set_priority(&attributes, options->priority);
  if (!error && options->cpu >= 0) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(options->cpu, &cpus);
    error = pthread_attr_setaffinity_np(&attributes, sizeof cpus, &cpus);
  }
  if (!error) error = pthread_create(&started, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  if (error) return -error;
  *thread = (uint64_t)started;
  return 0;
}

int fl_thread_join(uint64_t thread) { return -pthread_join((pthread_t)thread, NULL); }
int fl_thread_leave(uint64_t thread) { return -pthread_detach((pthread_t)thread); }

int fl_thread_name_self(const char *name) {
  char cut[16] = {0};
  strncpy(cut, name, sizeof cut - 1);
  return -pthread_setname_np(pthread_self(), cut);
}

static const unsigned char stack_pattern = 0xA5;

/// The calling thread's stack: its lowest byte and its size.
static int find_stack(unsigned char **lowest, size_t *size) {
  pthread_attr_t attributes;
  void *address = NULL;
  int error = pthread_getattr_np(pthread_self(), &attributes);
  if (error) return -error;
  error = pthread_attr_getstack(&attributes, &address, size);
  pthread_attr_destroy(&attributes);
  *lowest = address;
  return -error;
}

// Writes below its own frame, which nothing uses before it returns: a byte at a time, so that no call is made meanwhile.
__attribute__((noinline)) int fl_stack_fill(void) {
  unsigned char *lowest;
  size_t size;
  int error = find_stack(&lowest, &size);
  if (error) return error;
  volatile unsigned char *top = (unsigned char *)__builtin_frame_address(0) - 512;
  for (volatile unsigned char *byte = lowest; byte < top; byte++) *byte = stack_pattern;
  return 0;
}

int64_t fl_stack_used(void) {
  unsigned char *lowest;
  size_t size, unused = 0;
  int error = find_stack(&lowest, &size);
  if (error) return error;
  while (unused < size && lowest[unused] == stack_pattern) unused++;
  return (int64_t)(size - unused);
}

int fl_cpu_count(void) {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == -1) return -errno;
  return CPU_COUNT(&cpus);
}
