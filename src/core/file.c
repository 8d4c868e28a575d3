/* SPDX-License-Identifier: MIT */
/* file.c - see file.h. */
#include "core/file.h"
#include "core/bytes.h"
#include "core/hash.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".tmp";

bool ply_file_write_all(int file, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count > 0) {
        ssize_t written = write(file, at, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written == 0 ? ENOSPC : errno;
            return false;
        }
        at += written;
        count -= (size_t)written;
    }
    return true;
}

bool ply_file_is_special(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

enum { LINK_LIMIT = 40 };

/* The path that a symbolic link leads to, as seen from the link's folder; NULL without memory. */
static char *follow_link(const char *path)
{
    char link[4096];
    ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0)
        return NULL;
    link[length] = '\0';
    const char *slash = strrchr(path, '/');
    size_t folder = slash && link[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    char *target = malloc(folder + (size_t)length + 1);
    if (target) {
        memcpy(target, path, folder);
        memcpy(target + folder, link, (size_t)length + 1);
    }
    return target;
}

/*
 * The path with symbolic links resolved, also where the last of them leads to nothing yet: a rename
 * would replace the link. NULL with errno on failure.
 */
static char *resolve(const char *path)
{
    char *target = realpath(path, NULL);
    if (target)
        return target;
    target = strdup(path);
    struct stat found;
    for (int i = 0; target && lstat(target, &found) == 0 && S_ISLNK(found.st_mode); i++) {
        char *next = i < LINK_LIMIT ? follow_link(target) : NULL;
        if (i == LINK_LIMIT)
            errno = ELOOP;
        free(target);
        target = next;
    }
    return target;
}

static void release(ply_file_replacement *r)
{
    free(r->target);
    free(r->temporary);
    *r = (ply_file_replacement){0};
}

bool ply_file_replace_begin(ply_file_replacement *r, const char *path)
{
    *r = (ply_file_replacement){0};
    r->target = resolve(path);
    if (!r->target)
        return false;
    const char *name = r->target;
    if (!ply_file_is_special(name)) {
        size_t length = strlen(name);
        r->temporary = malloc(length + sizeof suffix);
        if (!r->temporary) {
            release(r);
            return false;
        }
        memcpy(r->temporary, name, length);
        memcpy(r->temporary + length, suffix, sizeof suffix);
        name = r->temporary;
    }
    r->stream = fopen(name, "wbe");
    if (!r->stream) {
        int reason = errno;
        release(r);
        errno = reason;
        return false;
    }
    return true;
}

/* Makes a rename durable: the folder's entry must be on disk too. */
static bool sync_folder(const char *path)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    int file = folder ? open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool good = file >= 0 && fsync(file) == 0;
    int reason = errno;
    if (file >= 0)
        close(file);
    free(folder);
    errno = reason;
    return good;
}

bool ply_file_replace_commit(ply_file_replacement *r, bool durable)
{
    bool renames = r->temporary != NULL;
    bool good = !ferror(r->stream) && fflush(r->stream) == 0 &&
                (!durable || !renames || fsync(fileno(r->stream)) == 0);
    int reason = errno;
    if (fclose(r->stream) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && renames) {
        good = rename(r->temporary, r->target) == 0;
        reason = errno;
    }
    if (!good && renames)
        unlink(r->temporary);
    if (good && renames && durable) {
        good = sync_folder(r->target);
        reason = errno;
    }
    release(r);
    errno = reason;
    return good;
}

void ply_file_replace_abort(ply_file_replacement *r)
{
    int reason = errno;
    fclose(r->stream);
    if (r->temporary)
        unlink(r->temporary);
    release(r);
    errno = reason;
}

bool ply_file_replace_possible(const char *path)
{
    ply_file_replacement trial;
    if (ply_file_is_special(path))
        return access(path, W_OK) == 0;
    if (!ply_file_replace_begin(&trial, path))
        return false;
    ply_file_replace_abort(&trial);
    return true;
}

unsigned char *ply_file_read(const char *path, size_t most, size_t *size, ply_error *error)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    unsigned char *bytes = NULL;
    if (!file || fstat(fileno(file), &info) != 0) {
        ply_error_set(error, PLY_IO, "%s: %s", path, strerror(errno));
    } else if (!S_ISREG(info.st_mode)) {
        ply_error_set(error, PLY_IO, "%s: not a regular file", path);
    } else if ((uintmax_t)info.st_size > most) {
        ply_error_set(error, PLY_IO, "%s: too large", path);
    } else if (!(bytes = malloc((size_t)info.st_size + 1))) {
        ply_error_set(error, PLY_NO_MEMORY, "%s: out of memory", path);
    } else {
        *size = fread(bytes, 1, (size_t)info.st_size, file);
        if (*size != (size_t)info.st_size) {
            ply_error_set(error, PLY_IO, "%s: %s", path,
                          ferror(file) ? strerror(errno) : "the file shrank while it was read");
            free(bytes);
            bytes = NULL;
        }
    }
    if (file)
        fclose(file);
    return bytes;
}

uint64_t ply_file_checksum(const unsigned char *bytes, size_t size)
{
    uint64_t sum = size, weight = 0;
    for (size_t at = 0; at < size; at += 8) {
        unsigned char last[8] = {0};
        const unsigned char *word = bytes + at;
        if (size - at < 8)
            word = memcpy(last, word, size - at);
        weight += PLY_GOLDEN;
        sum += ply_mix64(ply_get64(word) + weight);
    }
    return ply_mix64(sum);
}
