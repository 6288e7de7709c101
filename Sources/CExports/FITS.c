#include "CExports.h"

#include <fitsio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fl_fits {
    fitsfile *file;
    void *bytes;
    size_t room;
    int status;
    char message[fl_export_message_size];
};

static int checked(fl_fits *file) {
    if (file->status == 0) return 0;
    if (file->message[0] == '\0') {
        char text[FLEN_STATUS];
        fits_get_errstatus(file->status, text);
        snprintf(file->message, sizeof file->message, "%s", text);
        fits_clear_errmsg();
    }
    return -1;
}

fl_fits *fl_fits_create(void) {
    fl_fits *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    // Grows by as much at a time.
    fits_create_memfile(&file->file, &file->bytes, &file->room, 1 << 20, realloc, &file->status);
    if (checked(file) == 0) return file;
    free(file);
    return NULL;
}

const char *fl_fits_message(const fl_fits *file) { return file->message; }

int fl_fits_add_image(
    fl_fits *file, int bytesPerSample, uint32_t width, uint32_t height, uint32_t planes, const uint8_t *samples) {
    long lengths[3] = {width, height, planes};
    LONGLONG count = (LONGLONG)width * height * planes;
    fits_create_img(
        file->file, bytesPerSample == 2 ? USHORT_IMG : BYTE_IMG, planes == 1 ? 2 : 3, lengths, &file->status);
    fits_write_img(file->file, bytesPerSample == 2 ? TUSHORT : TBYTE, 1, count, (void *)samples, &file->status);
    return checked(file);
}

int fl_fits_set_text(fl_fits *file, const char *key, const char *text, const char *comment) {
    // Texts of more than 68 letters go on in CONTINUE cards.
    fits_write_key_longstr(file->file, key, text, comment, &file->status);
    return checked(file);
}

int fl_fits_set_integer(fl_fits *file, const char *key, int64_t value, const char *comment) {
    LONGLONG number = value;
    fits_write_key(file->file, TLONGLONG, key, &number, comment, &file->status);
    return checked(file);
}

int fl_fits_set_real(fl_fits *file, const char *key, double value, int decimals, const char *comment) {
    fits_write_key_fixdbl(file->file, key, value, decimals, comment, &file->status);
    return checked(file);
}

int fl_fits_finish(fl_fits *file, fl_export_bytes *result, char message[fl_export_message_size]) {
    int parts = 0;
    LONGLONG end = 0;
    fits_get_num_hdus(file->file, &parts, &file->status);
    for (int part = 1; part <= parts && file->status == 0; part++) {
        fits_movabs_hdu(file->file, part, NULL, &file->status);
        fits_write_chksum(file->file, &file->status);
    }
    fits_flush_file(file->file, &file->status);
    // The memory may have room behind the file.
    fits_get_hduaddrll(file->file, NULL, NULL, &end, &file->status);
    int status = checked(file);
    int ignored = 0;
    fits_close_file(file->file, &ignored);
    snprintf(message, fl_export_message_size, "%s", file->message);
    if (status == 0) {
        *result = (fl_export_bytes){.bytes = file->bytes, .count = (size_t)end};
    } else {
        free(file->bytes);
    }
    free(file);
    return status;
}

void fl_fits_abandon(fl_fits *file) {
    int ignored = 0;
    fits_close_file(file->file, &ignored);
    free(file->bytes);
    free(file);
}
