#include "CExports.h"

#include <stdlib.h>
#include <zstd.h>

void fl_free_export_bytes(fl_export_bytes bytes) { free(bytes.bytes); }

int fl_zstandard(const uint8_t *bytes, size_t count, int level, fl_export_bytes *result) {
    size_t room = ZSTD_compressBound(count);
    result->bytes = malloc(room);
    if (result->bytes == NULL) return -1;
    result->count = ZSTD_compress(result->bytes, room, bytes, count, level);
    if (!ZSTD_isError(result->count)) return 0;
    free(result->bytes);
    return -1;
}
