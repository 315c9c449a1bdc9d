/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: options, diagnostics on standard error, progress. */
#ifndef TOOLS_CLI_H
#define TOOLS_CLI_H

#include "bondgraph/model/run_options.h"
#include "lib/context.h"
#include "lib/core/mem.h"
#include "lib/core/suffix.h"

#include <stdbool.h>
#include <stdint.h>

/* The options, by number. */
typedef enum cli_option {
#define X(id, name, letter, argument, sentence) CLI_##id,
#include "tools/options.def"
#undef X
    CLI_OPTION_COUNT,
    CLI_RUN_FIRST = CLI_OPTION_COUNT - BG__RUN_COUNT /* the options of a run are the last */
} cli_option;

/* Sets of options are bits: those of a run are a set of their own. */
_Static_assert((int) CLI_RUN_FIRST <= 64 && (int) BG__RUN_COUNT <= 64,
               "there are more options than bits");

/* The bit of an option in a set of options, and of one of a run in a set of those. */
#define CLI_BIT(id) (UINT64_C(1) << CLI_##id)
#define CLI_RUN_BIT(id) (UINT64_C(1) << (CLI_RUN_##id - CLI_RUN_FIRST))

/* All options of a run. */
#define CLI_RUN (UINT64_MAX >> (64 - BG__RUN_COUNT))

/* What every command takes, and what those take that read a model. */
#define CLI_ALWAYS (CLI_BIT(HELP) | CLI_BIT(VERSION) | CLI_BIT(QUIET))
#define CLI_MODEL (CLI_ALWAYS | CLI_BIT(GRAPH) | CLI_BIT(SET) | CLI_BIT(VARIANT) | CLI_BIT(LIBRARY))

/* What else there is to say of a command: a set of these. */
enum {
    CLI_RESULTS = 1, /* its arguments are files of results, one or several */
    CLI_FILES = 2,   /* it takes a model, further files and directories */
    CLI_WRITES = 4   /* it needs the option -o */
};

typedef struct cli_call cli_call;

/* A command of the program. */
typedef struct cli_command {
    const char *name;
    ha_status (*run)(cli_call *cli);
    uint64_t options;            /* bits of the options it takes, */
    uint64_t run_options;        /* and of those of a run */
    const char *sentence;        /* what it does */
    const char *example;         /* one command line */
    const ha__suffixes *formats; /* of the file given with -o; NULL: it may be any */
    unsigned kind;               /* CLI_RESULTS ... */
} cli_command;

/* A command line that has been read. */
struct cli_call {
    ha_ctx *ctx;
    const cli_command *command;
    const char *file;                   /* NULL with --graph */
    HA_ARRAY(const char *) files;       /* of a command that takes several; the model, too */
    char *input;                        /* what stood on standard input if `file` is "-" */
    size_t input_length;                /* bytes of it */
    const char *where_present;          /* PATH=VALUE that counts where PATH is there; NULL: none */
    bool given[CLI_OPTION_COUNT];       /* the option was given */
    const char *text[CLI_OPTION_COUNT]; /* the argument of each, the last one given */
    HA_ARRAY(const char *) sets;        /* arguments of --set */
    HA_ARRAY(const char *) libraries;   /* arguments of --library */
    HA_ARRAY(const char *) variants;    /* arguments of --variant */
    HA_ARRAY(const char *) limits;      /* arguments of --limit */
    HA_ARRAY(const char *) ranges;      /* PATH=LOW:HIGH behind --live */
    char stamp[64];                     /* of a run under --watch; "": it is none */
    bool has_written;                   /* a page has been written */
    size_t n_printed;                   /* diagnostics that are on standard error already */
};

/* True when a command takes an option. */
bool cli_takes(const cli_command *command, cli_option option);

/* True when a command solves a model, which so has outputs. */
bool cli_solves(const cli_command *command);

/* True when an option was given. */
bool cli_has(const cli_call *cli, cli_option option);

/* The row of an option: its long name; its letter, 0: none; how help calls its argument, NULL: it
   takes none; what it does, NULL: see the row of the run's option. */
const char *cli_option_name(cli_option option);
int cli_option_letter(cli_option option);
const char *cli_option_argument(cli_option option);
const char *cli_option_sentence(cli_option option);

/* Reads the options and the file name of a command from argv[1] ...; usage errors are
   HA_ERR_ARGUMENT. */
HA_MUST_CHECK ha_status cli_read(cli_call *cli, int argc, char **argv);

/* Prints the help of a command to standard output. */
void cli_print_help(ha_ctx *ctx, const cli_command *command);

/* Prints the diagnostics collected since the last call to standard error. */
void cli_print_diags(cli_call *cli);

/* Flushes standard output; HA_ERR_OUTPUT when something of it could not be written. */
HA_MUST_CHECK ha_status cli_finish_output(cli_call *cli);

/* The value of a numeric option: a number, or a quantity where it has a unit. */
HA_MUST_CHECK ha_status cli_number(cli_call *cli, cli_option option, double *out);

/* How work ended: "done", "interrupted" or "failed". */
const char *cli_status_word(ha_status status);

/* Lets SIGINT and SIGTERM ask for a clean end, and shows progress on a terminal while work goes on.
 */
void cli_begin_work(cli_call *cli);

/* Reads standard input into cli->input if the file is "-" and it was not read yet: it can be read
   once, the model is read as often as there are runs. */
HA_MUST_CHECK ha_status cli_read_input(cli_call *cli, const char *file);

/* Lets SIGINT and SIGTERM ask for a clean end of the work done with another context. */
void cli_share_interrupt(ha_ctx *ctx);

/* Removes the progress line and the callbacks. */
void cli_end_work(cli_call *cli);

/* --- the commands ----------------------------------------------------------------------------- */

ha_status cmd_check(cli_call *cli);
ha_status cmd_causality(cli_call *cli);
ha_status cmd_equations(cli_call *cli);
ha_status cmd_assemble(cli_call *cli);
ha_status cmd_inverse(cli_call *cli);
ha_status cmd_linearise(cli_call *cli);
ha_status cmd_modes(cli_call *cli);
ha_status cmd_fit(cli_call *cli);
ha_status cmd_frequency(cli_call *cli);
ha_status cmd_periodic(cli_call *cli);
ha_status cmd_sensitivity(cli_call *cli);
ha_status cmd_statics(cli_call *cli);
ha_status cmd_run(cli_call *cli);
ha_status cmd_study(cli_call *cli);
ha_status cmd_compare(cli_call *cli);
ha_status cmd_draw(cli_call *cli);
ha_status cmd_report(cli_call *cli);
ha_status cmd_animate(cli_call *cli);
ha_status cmd_plot(cli_call *cli);
ha_status cmd_convert(cli_call *cli);

/* The formats that commands write, by suffix. */
extern const ha__suffixes cmd_convert_formats, cmd_compare_formats, cmd_animate_formats,
    gnuplot_formats, linear_formats, modes_formats, frequency_formats, sensitivity_formats,
    fit_formats;

/* --- versions.c ----------------------------------------------------------------------------- */

/* Prints the versions of the program and of the libraries it runs with. */
void cli_print_version(void);

#endif
