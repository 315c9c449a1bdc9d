/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that appear complete or not at all. */
#include <config.h>

#include "lib/core/output.h"

#include "lib/core/leftover.h"
#include "lib/core/mem.h"
#include "lib/core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_TRIES = 1000, SUFFIX_SIZE = 48 };

static const double AGE = 60.0; /* [s] of an unfinished file that nobody holds any more */

static ha_status fail(ha_ctx *ctx, const char *path, int error)
{
    char reason[256];
    const char *advice = error == ENOSPC   ? "; free some space or choose another place"
                         : error == ENOENT ? "; make its directory first"
                         : error == EACCES || error == EPERM || error == EROFS
                             ? "; see to the permissions of the file and its directory, or choose "
                               "another place"
                             : "; choose another place";
    const char *text = ha__reason(error, reason, sizeof reason);

    return ha_fail(ctx, HA_ERR_OUTPUT, HA_NOWHERE, "%s%s%s cannot be written: %s%s",
                   strcmp(path, "-") == 0 ? "" : "`",
                   strcmp(path, "-") == 0 ? "standard output" : path,
                   strcmp(path, "-") == 0 ? "" : "`", text, advice);
}

/* The file a path stands for, links followed, also when the file does not exist yet; to be freed
   with ha__free(). NULL with errno set, or after a diagnostic with errno 0. */
static char *resolve(ha_ctx *ctx, const char *path)
{
    char *real = realpath(path, NULL);

    if (real == NULL && errno != ENOENT) {
        return NULL;
    }
    const char *name = real != NULL ? real : path;
    char *copy = ha__copy_text(ctx, name, strlen(name));
    free(real);
    errno = 0;
    return copy;
}

/* ".PID-NUMBER.part" behind the name of the target; "-NUMBER.part" alone is a name of a user's. */
static bool is_part(const char *end)
{
    static const char digits[] = "0123456789";
    size_t pid = end[0] == '.' ? strspn(end + 1, digits) : 0;
    const char *dash = end + (pid > 0 ? 1 + pid : 0);
    size_t number = dash[0] == '-' ? strspn(dash + 1, digits) : 0;

    return pid > 0 && number > 0 && strcmp(dash + 1 + number, ".part") == 0;
}

/* Opens a new file beside the target under a name that nobody else has. */
static int open_temporary(ha__output *out)
{
    static const char SUFFIX[] = ".part";
    size_t length = strlen(out->target);
    size_t room = length + SUFFIX_SIZE;

    out->temporary = ha__alloc(out->ctx, room, 1);
    if (out->temporary == NULL) {
        errno = 0;
        return -1;
    }
    for (int attempt = 0; attempt < MAX_TRIES; attempt++) {
        snprintf(out->temporary, room, "%s.%ld-%d%s", out->target, (long) getpid(), attempt,
                 SUFFIX);
        int fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* Opens the file behind a path that is not standard output; -1 with errno, 0 after a diagnostic. */
static int open_file(ha__output *out)
{
    struct stat old;
    bool exists = stat(out->path, &old) == 0;

    if (exists && !S_ISREG(old.st_mode)) {
        return open(out->path, O_WRONLY | O_CLOEXEC);
    }
    out->target = resolve(out->ctx, out->path);
    if (out->target == NULL) {
        return -1;
    }
    if (exists && access(out->target, W_OK) != 0) {
        return -1; /* a write-protected file is not to be replaced either */
    }
    ha__leftover_clean(out->target, is_part, AGE);
    int fd = open_temporary(out);
    if (fd >= 0) {
        ha__leftover_hold(fd);
    }
    if (fd >= 0 && exists) {
        /* permissions are kept where the file system has them */
        int ignored = fchmod(fd, old.st_mode & 0777);
        (void) ignored;
    }
    return fd;
}

static void clear(ha__output *out)
{
    HA_FREE(out->path, out->target, out->temporary);
    *out = (ha__output){ 0 };
}

ha_status ha__output_open(ha_ctx *ctx, const char *path, ha__output *out)
{
    *out = (ha__output){ .ctx = ctx };
    HA_TRY_GET(out->path, ha__copy_text(ctx, path, strlen(path)));
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        return HA_OK;
    }

    int fd = open_file(out);
    if (fd >= 0) {
        out->file = fdopen(fd, "w");
    }
    if (out->file != NULL) {
        return HA_OK;
    }
    int error = errno;
    if (fd >= 0) {
        close(fd);
        if (out->temporary != NULL) {
            unlink(out->temporary);
        }
    }
    clear(out);
    return error == 0 ? HA_ERR_MEMORY : fail(ctx, path, error);
}

void ha__output_add(ha__output *out, const void *bytes, size_t length)
{
    errno = 0;
    if (out->error == 0 && fwrite(bytes, 1, length, out->file) != length) {
        out->error = errno != 0 ? errno : EIO;
    }
}

ha_status ha__output_status(const ha__output *out)
{
    return out->error == 0 ? HA_OK : fail(out->ctx, out->path, out->error);
}

/* Flushes and closes the file; the error of that or an earlier one. */
static int finish(ha__output *out)
{
    int error = out->error;

    if (fflush(out->file) != 0 && error == 0) {
        error = errno;
    }
    if (out->file == stdout) {
        clearerr(stdout);
    } else if (fclose(out->file) != 0 && error == 0) {
        error = errno;
    }
    out->file = NULL;
    return error;
}

ha_status ha__output_close(ha__output *out)
{
    int error = finish(out);

    if (error == 0 && out->temporary != NULL && rename(out->temporary, out->target) != 0) {
        error = errno;
    }
    ha_status status = error == 0 ? HA_OK : fail(out->ctx, out->path, error);
    if (error != 0 && out->temporary != NULL) {
        unlink(out->temporary);
    }
    clear(out);
    return status;
}

void ha__output_abandon(ha__output *out)
{
    finish(out);
    if (out->temporary != NULL) {
        unlink(out->temporary);
    }
    clear(out);
}

ha_status ha__output_write(ha_ctx *ctx, const char *path, const void *bytes, size_t length)
{
    ha__output out;

    HA_TRY(ha__output_open(ctx, path, &out));
    ha__output_add(&out, bytes, length);
    return ha__output_close(&out);
}
