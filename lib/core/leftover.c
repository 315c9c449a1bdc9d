/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leftovers. A file appears under its name when it is complete; until then it has another, under
 * which it stays when the program is killed. The next program that writes the same file removes it,
 * if it is old and nobody holds its lock: the system gives a lock back whatever a process dies of.
 * The age covers the moment between making a file and locking it.
 */
#include <config.h>

#include "lib/core/leftover.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void ha__leftover_hold(int fd)
{
    int ignored = flock(fd, LOCK_EX | LOCK_NB); /* without locks the age alone decides */
    (void) ignored;
}

bool ha__leftover_has_end(const char *name, const char *dot, int n)
{
    const char *end = strrchr(name, '.');
    size_t length = end == NULL ? 0 : strlen(end + 1), before = strlen(dot);

    return end != NULL && length == (size_t) n && (size_t) (end + 1 - name) >= before &&
           strncmp(end + 1 - before, dot, before) == 0 &&
           strspn(end + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               length;
}

/* Removes a file that is old and not locked. */
static void remove_stale(int directory, const char *name, double age)
{
    struct stat found;

    if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode) ||
        difftime(time(NULL), found.st_mtime) < age) {
        return;
    }
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        (void) unlinkat(directory, name, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
}

void ha__leftover_clean(const char *path, bool (*is_ours)(const char *name), double age)
{
    const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1;
    char directory[PATH_MAX];
    size_t length = slash == NULL ? 0 : (size_t) (slash - path) + 1, n = strlen(base);

    if (length + 2 > sizeof directory) {
        return;
    }
    memcpy(directory, path, length);
    memcpy(directory + length, ".", 2);
    DIR *stream = opendir(directory);
    if (stream == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        if (strncmp(entry->d_name, base, n) == 0 && is_ours(entry->d_name + n)) {
            remove_stale(dirfd(stream), entry->d_name, age);
        }
    }
    closedir(stream);
}
