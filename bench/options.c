/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of the bench. */
#include <config.h>

#include "bench/row.h"
#include "lib/context.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "Usage: bench_mechanism [OPTION]...\n"
    "Times mechanisms against programs written by hand; lists are words with commas.\n\n"
    "  --cases LIST         of andrews, compliant, four-bar, chain\n"
    "  --sizes LIST         numbers of squares or links, in place of the usual ones\n"
    "  --tolerances LIST    in place of the usual ones\n"
    "  --drivers LIST       of ida, explicit, explicit8, auto, limit_ida, limit_schur, peer\n"
    "  --code-limit BODIES  larger models are not translated to machine code\n"
    "  --runs N             of each program; as many as go into --seconds, 3 to 31\n"
    "  --seconds TIME       for all runs of one task; 5\n"
    "  --patience TIME      after which a program written by hand is given up; 60\n"
    "  --csv FILE           writes all rows with the name of the machine\n";

static const struct option known[] = { { "cases", required_argument, NULL, 'c' },
                                       { "sizes", required_argument, NULL, 'n' },
                                       { "tolerances", required_argument, NULL, 't' },
                                       { "drivers", required_argument, NULL, 'd' },
                                       { "code-limit", required_argument, NULL, 'l' },
                                       { "runs", required_argument, NULL, 'r' },
                                       { "seconds", required_argument, NULL, 's' },
                                       { "patience", required_argument, NULL, 'p' },
                                       { "csv", required_argument, NULL, 'o' },
                                       { "help", no_argument, NULL, 'h' },
                                       { NULL, 0, NULL, 0 } };

/* True when every word of a list is among the `n` known ones; else says so. */
static bool check_words(const char *list, const char *const *words, int n)
{
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',' ? 1 : 0;
        size_t length = strcspn(at, ",");
        int i = 0;
        while (i < n && (strlen(words[i]) != length || strncmp(words[i], at, length) != 0)) {
            i++;
        }
        if (i == n) {
            fprintf(stderr, "error: `%.*s` is not known\n%s", (int) length, at, USAGE);
            return false;
        }
    }
    return true;
}

static bool check_lists(const bench_options *options)
{
    static const char *const programs[] = { "ida",       "explicit",    "explicit8", "auto",
                                            "limit_ida", "limit_schur", "peer" };
    const char *names[BENCH_MOST];
    int n;
    const bench_case *cases = bench_cases(&n);

    for (int i = 0; i < n; i++) {
        names[i] = cases[i].name;
    }
    return check_words(options->cases, names, n) &&
           check_words(options->programs, programs, (int) HA_COUNT(programs));
}

int bench_read_options(int argc, char **argv, bench_options *options)
{
    int letter;

    while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (letter) {
        case 'c':
            options->cases = optarg;
            break;
        case 'n':
            options->sizes = optarg;
            break;
        case 't':
            options->tolerances = optarg;
            break;
        case 'd':
            options->programs = optarg;
            break;
        case 'l':
            options->code_limit = atoi(optarg);
            break;
        case 'r':
            options->runs = atoi(optarg);
            break;
        case 's':
            options->seconds = atof(optarg);
            break;
        case 'p':
            options->patience = atof(optarg);
            break;
        case 'o':
            options->csv = optarg;
            break;
        case 'h':
            printf("%s", USAGE);
            return 1 + EXIT_SUCCESS;
        default:
            fprintf(stderr, "%s", USAGE);
            return 1 + EXIT_FAILURE;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "%s", USAGE);
        return 1 + EXIT_FAILURE;
    }
    return check_lists(options) ? 0 : 1 + EXIT_FAILURE;
}

int bench_read_numbers(const char *list, double *out, int most)
{
    int n = 0;

    for (const char *at = list; at != NULL && n < most; at = strchr(at, ',')) {
        at += *at == ',' ? 1 : 0;
        out[n++] = strtod(at, NULL);
    }
    return n;
}

bool bench_is_listed(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',' ? 1 : 0;
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return list == NULL;
}
