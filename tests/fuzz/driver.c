/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gives the files named on the command line to a fuzz target, as libFuzzer does, so that the corpus
 * is replayed by every compiler. Each file gets a block of its own size, without a zero behind it:
 * tools that watch memory then see a read past the end.
 */
#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t size = 0;
    int failed = 1;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        size = end > 0 ? (size_t) end : 0;
        data = malloc(size > 0 ? size : 1);
        failed = end < 0 || data == NULL || fread(data, 1, size, file) != size;
    }
    if (failed) {
        perror(path);
    } else {
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    if (file != NULL) {
        fclose(file);
    }
    return failed;
}

int main(int argc, char **argv)
{
    int n_failed = 0;

    for (int i = 1; i < argc; i++) {
        n_failed += replay(argv[i]);
    }
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
