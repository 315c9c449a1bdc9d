/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: options by table, diagnostics as `file:line:column: error: text`, progress. */
#include <config.h>

#include "tools/shared/cli.h"

#include "lib/core/clock.h"
#include "lib/core/input.h"
#include "lib/core/reason.h"
#include "lib/core/strbuf.h"
#include "lib/core/symtab.h"
#include "lib/data/units.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct {
    const char *name;
    int letter;
    const char *argument;
    const char *sentence;
} options[CLI_OPTION_COUNT] = {
#define X(id, name, letter, argument, sentence) { name, letter, argument, sentence },
#include "tools/options.def"
#undef X
};

bool cli_takes(const cli_command *command, cli_option option)
{
    return option < CLI_RUN_FIRST ? (command->options >> option & 1u) != 0
                                  : (command->run_options >> (option - CLI_RUN_FIRST) & 1u) != 0;
}

bool cli_solves(const cli_command *command)
{
    return command->run_options != 0 || cli_takes(command, CLI_KEEP_FIXED);
}

bool cli_has(const cli_call *cli, cli_option option)
{
    return cli->given[option];
}

const char *cli_option_name(cli_option option)
{
    return options[option].name;
}

int cli_option_letter(cli_option option)
{
    return options[option].letter;
}

const char *cli_option_sentence(cli_option option)
{
    return option >= CLI_RUN_FIRST ? bg__run_options[option - CLI_RUN_FIRST].sentence
                                   : options[option].sentence;
}

const char *cli_option_argument(cli_option option)
{
    return option >= CLI_RUN_FIRST ? ha__option_argument(&bg__run_options[option - CLI_RUN_FIRST])
                                   : options[option].argument;
}

/* --- reading -------------------------------------------------------------------------------- */

/* What getopt_long is told about the options of a command. */
typedef struct {
    struct option longs[CLI_OPTION_COUNT + 1];
    char shorts[3 * CLI_OPTION_COUNT + 2];
    const char *names[CLI_OPTION_COUNT];
    size_t n;
} getopt_tables;

enum { FIRST_OPTION = 0x100 }; /* values of long options: above all characters */

static void fill_tables(const cli_command *command, getopt_tables *t)
{
    size_t n_shorts = 0;

    memset(t, 0, sizeof *t);
    t->shorts[n_shorts++] = ':'; /* tell a missing argument from an unknown option */
    for (int i = 0; i < CLI_OPTION_COUNT; i++) {
        if (!cli_takes(command, (cli_option) i)) {
            continue;
        }
        t->names[t->n] = options[i].name;
        t->longs[t->n++] =
            (struct option){ options[i].name,
                             cli_option_argument((cli_option) i) == NULL ? no_argument
                                                                         : required_argument,
                             NULL, FIRST_OPTION + i };
        if (options[i].letter != 0) {
            t->shorts[n_shorts++] = (char) options[i].letter;
            if (cli_option_argument((cli_option) i) != NULL) {
                t->shorts[n_shorts++] = ':';
            }
        }
    }
}

/* "`--set` or `--step`" of the options that a name is short for; how many there are. */
static int list_completions(const getopt_tables *t, const char *name, char *list, size_t size)
{
    size_t used = 0;
    int n = 0;

    list[0] = '\0';
    for (size_t i = 0; i < t->n; i++) {
        if (strncmp(t->names[i], name, strlen(name)) == 0 && used < size) {
            used += (size_t) snprintf(list + used, size - used, "%s`--%s`", n > 0 ? " or " : "",
                                      t->names[i]);
            n++;
        }
    }
    return n;
}

/* An argument that getopt_long does not understand. */
static ha_status fail_option(cli_call *cli, const getopt_tables *t, int what, const char *argument)
{
    char name[64], list[512];
    const char *near = NULL;

    if (what == ':') {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "the option `%s` needs an argument; see `halfarrow %s --help`", argument,
                       cli->command->name);
    }
    if (strncmp(argument, "--", 2) == 0) {
        snprintf(name, sizeof name, "%.*s", (int) strcspn(argument + 2, "="), argument + 2);
        near = ha__nearest(name, t->names, t->n);
        if (name[0] != '\0' && list_completions(t, name, list, sizeof list) > 1) {
            return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "the option `%s` of `%s` may be %s; write more of its name", argument,
                           cli->command->name, list);
        }
    }
    bool is_y = strncmp(argument, "-y", 2) == 0 || strcmp(name, "y") == 0;
    if (is_y && cli_solves(cli->command)) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` does not have the option `%s`; choose its outputs with --set "
                       "outputs='[NAME, ...]'",
                       cli->command->name, argument);
    }
    return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "`%s` does not have the option `%s`%s%s%s; see `halfarrow %s --help`",
                   cli->command->name, argument, near == NULL ? "" : ", do you mean `--",
                   near == NULL ? "" : near, near == NULL ? "" : "`?", cli->command->name);
}

/* What the second of two would replace silently is asked for once; those that add up may repeat. */
static ha_status check_once(cli_call *cli, cli_option option, const char *argument)
{
    if (argument == NULL || !cli_has(cli, option) || option == CLI_SET || option == CLI_VARIANT ||
        option == CLI_LIBRARY || option == CLI_LIMIT) {
        return HA_OK;
    }
    return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "`--%s` is given twice, with `%s` and with `%s`; give it once",
                   options[option].name, cli->text[option], argument);
}

static ha_status keep_option(cli_call *cli, int option, const char *argument)
{
    HA_TRY(check_once(cli, (cli_option) option, argument));
    cli->given[option] = true;
    cli->text[option] = argument;
    if (option == CLI_SET) {
        HA_TRY_PUSH(cli->ctx, &cli->sets, argument);
    } else if (option == CLI_VARIANT) {
        HA_TRY_PUSH(cli->ctx, &cli->variants, argument);
    } else if (option == CLI_LIBRARY) {
        HA_TRY_PUSH(cli->ctx, &cli->libraries, argument);
    } else if (option == CLI_LIMIT) {
        HA_TRY_PUSH(cli->ctx, &cli->limits, argument);
    }
    return HA_OK;
}

static int option_of_letter(int letter)
{
    int i = 0;

    while (i < CLI_OPTION_COUNT && options[i].letter != letter) {
        i++;
    }
    return i;
}

ha_status cli_read_input(cli_call *cli, const char *file)
{
    if (file == NULL || strcmp(file, "-") != 0 || cli->input != NULL) {
        return HA_OK;
    }
    return ha__input_read(cli->ctx, "-", HA__MODEL_BYTES, &cli->input, &cli->input_length);
}

/* Results, as many as there are. */
static ha_status check_results(cli_call *cli, int n_files, char **files)
{
    if (n_files == 0) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` needs a RESULT: a .csv or .mat file of `run`, or `-` for CSV on "
                       "standard input; see `halfarrow %s --help`",
                       cli->command->name, cli->command->name);
    }
    for (int i = 0; i < n_files; i++) {
        HA_TRY_PUSH(cli->ctx, &cli->files, files[i]);
    }
    return HA_OK;
}

/* True of PATH=LOW:HIGH. */
static bool is_range(const char *word)
{
    const char *equals = strchr(word, '=');

    return equals != NULL && strchr(equals, ':') != NULL;
}

/* Takes the ranges behind --live out of the words; how many are left. */
static ha_status take_ranges(cli_call *cli, int *n, char **words)
{
    int n_left = 0;

    for (int i = 0; i < *n; i++) {
        if (is_range(words[i])) {
            HA_TRY_PUSH(cli->ctx, &cli->ranges, words[i]);
        } else {
            words[n_left++] = words[i];
        }
    }
    *n = n_left;
    return HA_OK;
}

static ha_status check_file(cli_call *cli, int n_files, char **files)
{
    bool takes_model = cli_takes(cli->command, CLI_GRAPH);
    int needed = takes_model && !cli_has(cli, CLI_GRAPH) ? 1 : 0;

    HA_TRY(cli_has(cli, CLI_LIVE) ? take_ranges(cli, &n_files, files) : HA_OK);
    if (n_files < needed) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` needs a FILE, `-` for standard input, or --graph TEXT; see `halfarrow "
                       "%s --help`",
                       cli->command->name, cli->command->name);
    }
    if (n_files > needed) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` takes %s, `%s` is too many; see `halfarrow %s --help`",
                       cli->command->name, needed == 1 ? "one FILE" : "no FILE", files[needed],
                       cli->command->name);
    }
    cli->file = needed == 1 ? files[0] : NULL;
    return HA_OK;
}

/* The file that is read; false when it is no regular file. */
static bool find_input(const char *file, struct stat *found)
{
    bool is_known =
        strcmp(file, "-") == 0 ? fstat(STDIN_FILENO, found) == 0 : stat(file, found) == 0;

    return is_known && S_ISREG(found->st_mode);
}

/* A model must not be lost under what is made of it, by whatever names and links. */
static ha_status check_output(const cli_call *cli, const char *file)
{
    const char *path = cli->text[CLI_OUTPUT];
    struct stat input, output;

    if (file == NULL || !cli_has(cli, CLI_OUTPUT) || strcmp(path, "-") == 0 ||
        !find_input(file, &input) || stat(path, &output) != 0 || input.st_dev != output.st_dev ||
        input.st_ino != output.st_ino) {
        return HA_OK;
    }
    return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "`-o %s` is the file that the %s read from, which would be lost; write to "
                   "another file",
                   path, (cli->command->kind & CLI_RESULTS) != 0 ? "results are" : "model is");
}

/* What is written must have a format, before any work is done. */
static ha_status check_format(const cli_call *cli)
{
    const ha__suffixes *formats = cli->command->formats;
    bool is_given = cli_has(cli, CLI_OUTPUT);
    ha__strbuf list = HA_STRBUF(cli->ctx);

    if (formats == NULL || (!is_given && (cli->command->kind & CLI_WRITES) == 0)) {
        return HA_OK;
    }
    if (is_given) {
        return ha__suffix_check(cli->ctx, formats, cli->text[CLI_OUTPUT]);
    }
    ha__suffix_add_list(&list, formats);
    ha_status status =
        ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                "`%s` needs a file to write: -o FILE with the suffix %s%s", cli->command->name,
                ha__strbuf_text(&list), formats->has_plain ? "; `-o -` is standard output" : "");
    return ha__strbuf_drop(&list, status);
}

ha_status cli_read(cli_call *cli, int argc, char **argv)
{
    getopt_tables t;
    int found = 0;

    fill_tables(cli->command, &t);
    opterr = 0;
    optind = 1;
    while ((found = getopt_long(argc, argv, t.shorts, t.longs, NULL)) != -1) {
        if (found == '?' || found == ':') {
            char letter[3] = { '-', (char) optopt, '\0' };
            bool is_letter = optopt > 0 && optopt < FIRST_OPTION;
            return fail_option(cli, &t, found, is_letter ? letter : argv[optind - 1]);
        }
        HA_TRY(keep_option(
            cli, found >= FIRST_OPTION ? found - FIRST_OPTION : option_of_letter(found), optarg));
        if (cli_has(cli, CLI_HELP) || cli_has(cli, CLI_VERSION)) {
            return HA_OK;
        }
    }
    if ((cli->command->kind & CLI_RESULTS) != 0) {
        HA_TRY(check_results(cli, argc - optind, argv + optind));
    } else if ((cli->command->kind & CLI_FILES) != 0) {
        for (int i = optind; i < argc; i++) {
            HA_TRY_PUSH(cli->ctx, &cli->files, argv[i]);
        }
    } else {
        HA_TRY(check_file(cli, argc - optind, argv + optind));
    }
    for (size_t i = 0; i < cli->files.count; i++) {
        HA_TRY(check_output(cli, cli->files.items[i]));
    }
    HA_TRY(check_output(cli, cli->file));
    return check_format(cli);
}

ha_status cli_number(cli_call *cli, cli_option option, double *out)
{
    const char *argument = options[option].argument; /* its name in help texts */
    ha__quantity expected = strcmp(argument, "TIME") == 0        ? HA__QUANTITY_TIME
                            : strcmp(argument, "FREQUENCY") == 0 ? HA__QUANTITY_FREQUENCY
                                                                 : HA__QUANTITY_NUMBER;
    char object[32];

    snprintf(object, sizeof object, "--%s", options[option].name);
    return ha__quantity_read(cli->ctx, cli->text[option], expected, HA_NOWHERE, object, out);
}

/* --- help ----------------------------------------------------------------------------------- */

enum { INDENT = 29, WIDTH = 100 }; /* of the sentences of a help text */

/* Prints a sentence in lines of at most WIDTH, the first of which has begun. */
static void print_sentence(const char *text)
{
    size_t room = WIDTH - INDENT;

    while (strlen(text) > room) {
        size_t n = room;
        while (n > 0 && text[n] != ' ') {
            n--;
        }
        n = n == 0 ? strcspn(text, " ") : n;
        printf("%.*s\n%*s", (int) n, text, INDENT, "");
        text += n + strspn(text + n, " ");
    }
    printf("%s\n", text);
}

static void print_option(ha_ctx *ctx, int option)
{
    char left[64];
    const char *argument = cli_option_argument((cli_option) option);
    int letter = options[option].letter;
    ha__strbuf sentence = HA_STRBUF(ctx);

    snprintf(left, sizeof left, "%c%c%c --%s%s%s", letter != 0 ? '-' : ' ',
             letter != 0 ? letter : ' ', letter != 0 ? ',' : ' ', options[option].name,
             argument == NULL ? "" : "=", argument == NULL ? "" : argument);
    printf("  %-*s", INDENT - 3, left);
    if (option >= CLI_RUN_FIRST) {
        ha__option_add_sentence(&sentence, &bg__run_options[option - CLI_RUN_FIRST]);
    } else {
        ha__strbuf_add(&sentence, options[option].sentence);
    }
    printf(" ");
    print_sentence(ha__strbuf_text(&sentence));
    ha__strbuf_clear(&sentence);
}

/* Prints the formats of -o, those of one sentence in one line. */
static void print_formats(const ha__suffixes *formats)
{
    const ha__suffix *row = formats == NULL ? NULL : ha__suffix_at(formats, 0);
    size_t i = 0;

    if (row != NULL) {
        printf("\nThe suffix of the file given with -o chooses the format:\n");
    }
    while (row != NULL) {
        char left[64];
        int n = snprintf(left, sizeof left, "%s", row->suffix);
        const char *sentence = row->sentence;
        while ((row = ha__suffix_at(formats, ++i)) != NULL && row->sentence == NULL) {
            n += snprintf(left + n, sizeof left - (size_t) n, ", %s", row->suffix);
        }
        printf("  %-*s ", INDENT - 3, left);
        print_sentence(sentence);
    }
}

void cli_print_help(ha_ctx *ctx, const cli_command *command)
{
    bool takes_model = cli_takes(command, CLI_GRAPH);

    printf("Usage: halfarrow %s [OPTION]...%s\n\n%s\n\nOptions:\n", command->name,
           (command->kind & CLI_FILES) != 0     ? " FILE [STUDY] -o DIR"
           : takes_model                        ? " FILE"
           : (command->kind & CLI_RESULTS) != 0 ? " RESULT..."
                                                : "",
           command->sentence);
    for (int i = 0; i < CLI_OPTION_COUNT; i++) {
        if (cli_takes(command, (cli_option) i)) {
            print_option(ctx, i);
        }
    }
    print_formats(command->formats);
    if (takes_model) {
        printf(
            "\nFILE is a model file (YAML), a bond graph in the compact notation when its name "
            "ends in\n.bgl, or a file of BondGraphTools when it ends in .bg; `-` is a model file "
            "from\nstandard input.\n");
    }
    printf("\nExample:\n  %s\n\nExit status: 0 done, 1 the work failed, 2 the command line or the "
           "model is wrong, 3 a fault\nof the program, 130 interrupted.\n",
           command->example);
}

/* --- diagnostics ---------------------------------------------------------------------------- */

static bool has_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return (no_colour == NULL || no_colour[0] == '\0') && isatty(STDERR_FILENO) == 1 &&
           term != NULL && strcmp(term, "dumb") != 0;
}

static void print_diag(const ha_diag *diag, bool is_coloured)
{
    static const char *const words[] = { "error", "warning", "note" };
    static const char *const colours[] = { "\033[1;31m", "\033[1;35m", "\033[1;36m" };
    const ha_where *w = &diag->where;

    if (w->file == NULL) {
        fputs("halfarrow: ", stderr);
    } else if (w->line > 0 && w->column > 0) {
        fprintf(stderr, "%s:%d:%d: ", w->file, w->line, w->column);
    } else if (w->line > 0) {
        fprintf(stderr, "%s:%d: ", w->file, w->line);
    } else {
        fprintf(stderr, "%s: ", w->file);
    }
    fprintf(stderr, "%s%s:%s %s\n", is_coloured ? colours[diag->severity] : "",
            words[diag->severity], is_coloured ? "\033[0m" : "", diag->text);
}

void cli_print_diags(cli_call *cli)
{
    bool is_coloured = has_colour();
    size_t n = ha_ctx_n_diags(cli->ctx);

    for (; cli->n_printed < n; cli->n_printed++) {
        const ha_diag *diag = ha_ctx_diag(cli->ctx, cli->n_printed);
        if (diag != NULL && (diag->severity == HA_ERROR || !cli_has(cli, CLI_QUIET))) {
            print_diag(diag, is_coloured);
        }
    }
}

ha_status cli_finish_output(cli_call *cli)
{
    char reason[256];

    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        return ha_fail(cli->ctx, HA_ERR_OUTPUT, HA_NOWHERE,
                       "standard output cannot be written: %s; the output is not complete",
                       ha__reason(errno, reason, sizeof reason));
    }
    return HA_OK;
}

/* --- work ----------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted = 0;

/* The progress line: after a second, ten times a second. */
static struct {
    double begin, last;
    bool is_shown;
} progress;

enum { BAR_WIDTH = 30 };

/*
 * The first interrupt asks the work to stop and keep what it has; one that follows after half a
 * second ends the program at once. Not sooner: programs such as timeout send the signal twice, to
 * the process and to its group.
 */
static void handle_interrupt(int signal_number)
{
    static volatile double first = 0.0;
    double t = ha__clock();

    if (interrupted == 0) {
        first = t;
        interrupted = 1;
    } else if (t - first > 0.5) {
        (void) signal(signal_number, SIG_DFL);
        (void) raise(signal_number);
    }
}

static void show_progress(void *user, double done)
{
    double t = ha__clock();
    int filled = (int) (done * BAR_WIDTH + 0.5);
    char bar[BAR_WIDTH + 1];

    (void) user;
    if (t - progress.begin < 1.0 || t - progress.last < 0.1 || !(done >= 0.0 && done <= 1.0)) {
        return;
    }
    progress.last = t;
    progress.is_shown = true;
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t) filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3d %%, %.0f s", bar, (int) (100.0 * done), t - progress.begin);
    if (done > 0.0) {
        fprintf(stderr, ", about %.0f s to go ", (t - progress.begin) * (1.0 - done) / done);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
}

const char *cli_status_word(ha_status status)
{
    return status == HA_OK ? "done" : status == HA_ERR_INTERRUPTED ? "interrupted" : "failed";
}

void cli_begin_work(cli_call *cli)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    ha_ctx_set_interrupt(cli->ctx, &interrupted);
    progress.begin = ha__clock();
    progress.last = progress.begin;
    progress.is_shown = false;
    if (!cli_has(cli, CLI_QUIET) && isatty(STDERR_FILENO) == 1) {
        ha_ctx_set_progress(cli->ctx, show_progress, NULL);
    }
}

void cli_share_interrupt(ha_ctx *ctx)
{
    ha_ctx_set_interrupt(ctx, &interrupted);
}

void cli_end_work(cli_call *cli)
{
    ha_ctx_set_progress(cli->ctx, NULL, NULL);
    if (progress.is_shown) {
        fputs("\r\033[K", stderr);
        progress.is_shown = false;
    }
}
