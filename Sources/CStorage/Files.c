#define _GNU_SOURCE
#include "CStorage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

// Repeats a call that a signal interrupted; its value is the result or -errno.
#define REPEATED(call)                             \
    ({                                             \
        int64_t result_;                           \
        do {                                       \
            result_ = (call);                      \
        } while (result_ == -1 && errno == EINTR); \
        result_ == -1 ? -(int64_t)errno : result_; \
    })

// A link may lead anywhere: to a pipe that nobody writes to, or to a device without an end.
static int open_file(const char *path, int access) {
    int fd = (int)REPEATED(open(path, access | O_CLOEXEC | O_NONBLOCK));
    if (fd < 0) return fd;
    struct stat status;
    int error = fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : S_ISDIR(status.st_mode) ? EISDIR : ENODEV;
    if (error == 0) return fd;
    close(fd);
    return -error;
}

int fl_open_for_reading(const char *path) { return open_file(path, O_RDONLY); }

int fl_open_for_writing(const char *path) { return open_file(path, O_RDWR); }

int fl_create(const char *path, bool direct) {
    int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | (direct ? O_DIRECT : 0);
    return (int)REPEATED(open(path, flags, 0666));
}

int fl_use_page_cache(int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags == -1) return -errno;
    return fcntl(fd, F_SETFL, flags & ~O_DIRECT) == -1 ? -errno : 0;
}

// Not repeated: Linux frees the descriptor even when close is interrupted.
int fl_close(int fd) { return close(fd) == -1 && errno != EINTR ? -errno : 0; }

int fl_write_at(int fd, const void *bytes, size_t count, int64_t offset) {
    const char *next = bytes;
    while (count > 0) {
        int64_t written = REPEATED(pwrite(fd, next, count, offset));
        if (written < 0) return (int)written;
        // A write that takes nothing and reports no error would loop for ever.
        if (written == 0) return -EIO;
        next += written;
        offset += written;
        count -= (size_t)written;
    }
    return 0;
}

int64_t fl_read_at(int fd, void *bytes, size_t count, int64_t offset) {
    char *next = bytes;
    size_t left = count;
    while (left > 0) {
        int64_t got = REPEATED(pread(fd, next, left, offset));
        if (got < 0) return got;
        if (got == 0) break;
        next += got;
        offset += got;
        left -= (size_t)got;
    }
    return (int64_t)(count - left);
}

int64_t fl_size(int fd) {
    struct stat status;
    return fstat(fd, &status) == -1 ? -errno : status.st_size;
}

int64_t fl_free_space(const char *path) {
    struct statvfs status;
    if (statvfs(path, &status) == -1) return -errno;
    uint64_t bytes;
    if (__builtin_mul_overflow((uint64_t)status.f_bavail, (uint64_t)status.f_frsize, &bytes)) return INT64_MAX;
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

int fl_reserve(int fd, int64_t length) { return (int)REPEATED(fallocate(fd, 0, 0, length)); }

int fl_reserve_behind(int fd, int64_t offset, int64_t length) {
    return (int)REPEATED(fallocate(fd, FALLOC_FL_KEEP_SIZE, offset, length));
}

int fl_release(int fd, int64_t offset, int64_t length) {
    return (int)REPEATED(
        fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length));
}

int fl_truncate(int fd, int64_t length) { return (int)REPEATED(ftruncate(fd, length)); }

int fl_sync_data(int fd) { return (int)REPEATED(fdatasync(fd)); }

int fl_sync_folder(const char *path) {
    int fd = (int)REPEATED(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd < 0) return fd;
    int result = (int)REPEATED(fsync(fd));
    fl_close(fd);
    return result;
}

int fl_lock_folder(const char *path) {
    int fd = (int)REPEATED(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd < 0) return fd;
    int result = (int)REPEATED(flock(fd, LOCK_EX | LOCK_NB));
    if (result == 0) return fd;
    fl_close(fd);
    return result;
}

int fl_make_folder(const char *path) { return (int)REPEATED(mkdir(path, 0777)); }

int fl_rename(const char *from, const char *to) { return (int)REPEATED(rename(from, to)); }

int fl_remove_file(const char *path) { return (int)REPEATED(unlink(path)); }

int fl_kind(const char *path) {
    struct stat status;
    if (stat(path, &status) == -1) return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
    if (S_ISREG(status.st_mode)) return 1;
    return S_ISDIR(status.st_mode) ? 2 : 3;
}

const char *fl_error_name(int error) {
    const char *name = strerrorname_np(error);
    return name ? name : "unknown error";
}

const char *fl_error_text(int error) {
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}
