#include "CExports.h"

#include <errno.h>
#include <fcntl.h>
// Debian has the library once without MPI and once with each kind of it.
#include <hdf5/serial/hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_dimensions = 4 };

struct fl_hdf5 {
    hid_t file;
    // The array of frames that is open; -1 for none.
    hid_t frames;
    int rank;
    hsize_t lengths[most_dimensions];
    hid_t sample;
    char message[fl_export_message_size];
    char path[];
};

// Takes the innermost message, which is what really failed; those around it are consequences. Of one that goes on about
// addresses and times only what the kernel said.
static herr_t take_message(unsigned number, const H5E_error2_t *error, void *user) {
    char *message = user;
    if (number > 0) return 0;
    const char *text = error->desc == NULL ? "failed" : error->desc;
    const char *kernel = strstr(text, "error message = '");
    if (kernel != NULL) text = kernel + strlen("error message = '");
    size_t length = kernel == NULL ? strlen(text) : strcspn(text, "'");
    snprintf(message, fl_export_message_size, "%.*s", (int)length, text);
    return 0;
}

static void note_error(char message[fl_export_message_size]) {
    if (message[0] != '\0') return;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_message, message);
    if (message[0] == '\0') snprintf(message, fl_export_message_size, "the HDF5 library failed");
}

static int checked(fl_hdf5 *file, bool isDone) {
    if (!isDone) note_error(file->message);
    return isDone ? 0 : -1;
}

fl_hdf5 *fl_hdf5_create(const char *path, char message[fl_export_message_size]) {
    message[0] = '\0';
    fl_hdf5 *file = calloc(1, sizeof *file + strlen(path) + 1);
    if (file == NULL) {
        snprintf(message, fl_export_message_size, "no memory");
        return NULL;
    }
    strcpy(file->path, path);
    // A file that the disk refused stays open in the library, which falls over it where it cleans up at exit.
    H5dont_atexit();
    // Messages are asked for, and not printed.
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->frames = -1;
    file->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file->file >= 0) return file;
    note_error(message);
    free(file);
    return NULL;
}

const char *fl_hdf5_message(const fl_hdf5 *file) { return file->message; }

int fl_hdf5_add_group(fl_hdf5 *file, const char *path) {
    hid_t group = H5Gcreate2(file->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return checked(file, group >= 0 && H5Gclose(group) >= 0);
}

// UTF-8 of any length: what most readers take for a text rather than for bytes.
static hid_t text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    H5Tclose(type);
    return -1;
}

// Where each of texts begins that are `width` bytes apart; to be freed.
static const char **text_starts(const char *texts, size_t width, size_t count) {
    const char **starts = calloc(count == 0 ? 1 : count, sizeof *starts);
    for (size_t place = 0; starts != NULL && place < count; place++) starts[place] = texts + place * width;
    return starts;
}

static hid_t list_space(size_t count, bool isScalar) {
    hsize_t length = count;
    return isScalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, NULL);
}

static int add_values(
    fl_hdf5 *file, const char *path, hid_t onDisk, hid_t inMemory, const void *values, size_t count, bool isScalar) {
    hid_t space = list_space(count, isScalar);
    hid_t set = H5Dcreate2(file->file, path, onDisk, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool isDone = set >= 0 && (count == 0 || H5Dwrite(set, inMemory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    int status = checked(file, isDone);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    return status;
}

int fl_hdf5_add_integers(fl_hdf5 *file, const char *path, const int64_t *values, size_t count, bool isScalar) {
    return add_values(file, path, H5T_STD_I64LE, H5T_NATIVE_INT64, values, count, isScalar);
}

int fl_hdf5_add_reals(fl_hdf5 *file, const char *path, const double *values, size_t count, bool isScalar) {
    return add_values(file, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count, isScalar);
}

static int add_texts(
    fl_hdf5 *file, const char *path, const char *texts, size_t width, size_t count, bool isScalar) {
    hid_t type = text_type();
    const char **starts = text_starts(texts, width, count);
    int status = checked(file, type >= 0 && starts != NULL);
    if (status == 0) status = add_values(file, path, type, type, starts, count, isScalar);
    free(starts);
    if (type >= 0) H5Tclose(type);
    return status;
}

int fl_hdf5_add_texts(fl_hdf5 *file, const char *path, const char *texts, size_t width, size_t count) {
    return add_texts(file, path, texts, width, count, false);
}

int fl_hdf5_add_text(fl_hdf5 *file, const char *path, const char *text) {
    return add_texts(file, path, text, 0, 1, true);
}

static int set_attribute(
    fl_hdf5 *file, const char *path, const char *name, hid_t onDisk, hid_t inMemory, const void *values, size_t count,
    bool isScalar) {
    hid_t space = list_space(count, isScalar);
    hid_t attribute = H5Acreate_by_name(
        file->file, path, name, onDisk, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int status = checked(file, attribute >= 0 && H5Awrite(attribute, inMemory, values) >= 0);
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return status;
}

static int set_text_attribute(
    fl_hdf5 *file, const char *path, const char *name, const char *texts, size_t width, size_t count, bool isScalar) {
    hid_t type = text_type();
    const char **starts = text_starts(texts, width, count);
    int status = checked(file, type >= 0 && starts != NULL);
    if (status == 0) status = set_attribute(file, path, name, type, type, starts, count, isScalar);
    free(starts);
    if (type >= 0) H5Tclose(type);
    return status;
}

int fl_hdf5_set_text(fl_hdf5 *file, const char *path, const char *name, const char *text) {
    return set_text_attribute(file, path, name, text, 0, 1, true);
}

int fl_hdf5_set_texts(
    fl_hdf5 *file, const char *path, const char *name, const char *texts, size_t width, size_t count) {
    return set_text_attribute(file, path, name, texts, width, count, false);
}

int fl_hdf5_set_integer(fl_hdf5 *file, const char *path, const char *name, int64_t value) {
    return set_attribute(file, path, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value, 1, true);
}

int fl_hdf5_link(fl_hdf5 *file, const char *target, const char *path) {
    return checked(file, H5Lcreate_hard(file->file, target, file->file, path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

int fl_hdf5_begin_frames(
    fl_hdf5 *file, const char *path, int bytesPerSample, int rank, const uint64_t *lengths, bool isDeflated) {
    if (rank < 1 || rank > most_dimensions) return -1;
    if (file->frames >= 0) H5Dclose(file->frames);
    hsize_t chunk[most_dimensions];
    file->rank = rank;
    for (int place = 0; place < rank; place++) {
        file->lengths[place] = lengths[place];
        chunk[place] = place == 0 ? 1 : lengths[place];
    }
    file->sample = bytesPerSample == 2 ? H5T_STD_U16LE : H5T_STD_U8LE;
    hid_t space = H5Screate_simple(rank, file->lengths, NULL);
    hid_t options = H5Pcreate(H5P_DATASET_CREATE);
    bool isSet = H5Pset_chunk(options, rank, chunk) >= 0;
    // Bytes of equal weight side by side shrink better.
    if (isDeflated) isSet = isSet && H5Pset_shuffle(options) >= 0 && H5Pset_deflate(options, 1) >= 0;
    file->frames = isSet
        ? H5Dcreate2(file->file, path, file->sample, space, H5P_DEFAULT, options, H5P_DEFAULT) : -1;
    int status = checked(file, file->frames >= 0);
    H5Pclose(options);
    H5Sclose(space);
    return status;
}

int fl_hdf5_write_frame(fl_hdf5 *file, uint64_t frame, const uint8_t *samples) {
    hsize_t start[most_dimensions] = {frame, 0, 0, 0};
    hsize_t count[most_dimensions];
    for (int place = 0; place < file->rank; place++) count[place] = place == 0 ? 1 : file->lengths[place];
    hid_t space = H5Dget_space(file->frames);
    hid_t memory = H5Screate_simple(file->rank, count, NULL);
    bool isDone = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
        && H5Dwrite(file->frames, file->sample, memory, space, H5P_DEFAULT, samples) >= 0;
    int status = checked(file, isDone);
    H5Sclose(memory);
    H5Sclose(space);
    return status;
}

int fl_hdf5_finish(fl_hdf5 *file, char message[fl_export_message_size]) {
    if (file->frames >= 0) checked(file, H5Dclose(file->frames) >= 0);
    checked(file, H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0);
    checked(file, H5Fclose(file->file) >= 0);
    snprintf(message, fl_export_message_size, "%s", file->message);
    // What the file system can't keep it says now, and closing would not.
    int descriptor = message[0] == '\0' ? open(file->path, O_RDONLY | O_CLOEXEC) : -1;
    if (message[0] == '\0' && (descriptor < 0 || fsync(descriptor) != 0)) {
        snprintf(message, fl_export_message_size, "%s", strerror(errno));
    }
    if (descriptor >= 0) close(descriptor);
    free(file);
    return message[0] == '\0' ? 0 : -1;
}

void fl_hdf5_abandon(fl_hdf5 *file) {
    if (file->frames >= 0) H5Dclose(file->frames);
    H5Fclose(file->file);
    free(file);
}
