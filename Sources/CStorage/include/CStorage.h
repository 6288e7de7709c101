#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the record needs of the kernel and the processor, and Swift can't reach: system calls that return -errno instead
// of setting errno, and the processor's instructions for checksums.

// CRC-32C (Castagnoli, RFC 3720 B.4) of `count` bytes, going on from `crc`, the result for the bytes before (0: none).
uint32_t fl_crc32c(uint32_t crc, const void *bytes, size_t count);
// The same with tables alone.
uint32_t fl_crc32c_portable(uint32_t crc, const void *bytes, size_t count);
// Whether fl_crc32c uses the processor's instructions.
bool fl_crc32c_is_accelerated(void);

// Goes on with a SHA-256 (FIPS 180-4) by blocks of 64 bytes each; `state` is H of 5.3.3 at the beginning.
void fl_sha256(uint32_t state[8], const void *bytes, size_t blocks);
// The same without the processor's instructions.
void fl_sha256_portable(uint32_t state[8], const void *bytes, size_t blocks);
// Whether fl_sha256 uses the processor's instructions.
bool fl_sha256_is_accelerated(void);

// Each of the following returns 0 or a descriptor or a count, or -errno. Interrupted calls are repeated.

// Opens a file for reading.
int fl_open_for_reading(const char *path);
// Opens a file that is there for reading and writing.
int fl_open_for_writing(const char *path);
// Creates a file that must not exist, for reading and writing; `direct` asks for O_DIRECT (EINVAL: refused).
int fl_create(const char *path, bool direct);
// Turns O_DIRECT off.
int fl_use_page_cache(int fd);
int fl_close(int fd);
// Writes all bytes at `offset`.
int fl_write_at(int fd, const void *bytes, size_t count, int64_t offset);
// Reads until `count` bytes or the end of the file; returns how many.
int64_t fl_read_at(int fd, void *bytes, size_t count, int64_t offset);
// The size of an open file in bytes.
int64_t fl_size(int fd);
// Bytes that this user may still write to the file system of a path.
int64_t fl_free_space(const char *path);
// Reserves space for the first `length` bytes and makes the file that long.
int fl_reserve(int fd, int64_t length);
// Reserves space for a range, and leaves the file as long as it is.
int fl_reserve_behind(int fd, int64_t offset, int64_t length);
// Gives the space of a range back; it reads as zeros.
int fl_release(int fd, int64_t offset, int64_t length);
int fl_truncate(int fd, int64_t length);
// Waits until the file's bytes, and what is needed to find them again, are on the disk.
int fl_sync_data(int fd);
// Waits until the names in a folder are on the disk.
int fl_sync_folder(const char *path);
// Keeps a folder locked as long as the descriptor is open (EWOULDBLOCK: somebody else does).
int fl_lock_folder(const char *path);
int fl_make_folder(const char *path);
// Renames; whatever has the new name is replaced.
int fl_rename(const char *from, const char *to);
int fl_remove_file(const char *path);
// Whether something has this name, and which kind: 0 nothing, 1 file, 2 folder, 3 anything else.
int fl_kind(const char *path);
// The name of an errno (`ENOSPC`) and its meaning in English; never NULL.
const char *fl_error_name(int error);
const char *fl_error_text(int error);
