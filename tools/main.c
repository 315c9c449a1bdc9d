/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program halfarrow: finds the command, runs it, prints the diagnostics. */
#include <config.h>

#include "tools/completion/completion.h"
#include "tools/shared/cli.h"
#include "tools/shared/watch.h"

#include "bondgraph/draw/export_formats.h"
#include "lib/core/symtab.h"
#include "lib/data/result_format.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const cli_command commands[] = {
    { "check", cmd_check, CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(PATHS) | CLI_BIT(WATCH), 0,
      "Reads a model, assigns causality and says what kind of problem it is: storages,\n"
      "constraints, mobility, redundant constraints, algebraic loops, and what to do about them.",
      "halfarrow check --graph 'Se>1a>R;1a>I;1a>C'", NULL, 0 },
    { "causality", cmd_causality, CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(PATHS) | CLI_BIT(TRACE), 0,
      "Prints the causal bond graph as a table: each bond with the end that has the stroke.",
      "halfarrow causality --trace --graph 'Se>1a>R;1a>I;1a>C'", NULL, 0 },
    { "equations", cmd_equations, CLI_MODEL | CLI_BIT(FORMAT) | CLI_BIT(OUTPUT), 0,
      "Prints the equations derived from the causal graph, in causal order.",
      "halfarrow equations examples/rlc.bgl", NULL, 0 },
    { "assemble", cmd_assemble, CLI_MODEL | CLI_BIT(JSON), 0,
      "Assembles a mechanism and says what was fixed, what moved, and how well the joints close.",
      "halfarrow assemble examples/andrews.yaml", NULL, 0 },
    { "run", cmd_run,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(COMPILE) | CLI_BIT(PERIOD) |
          CLI_BIT(WATCH),
      CLI_RUN, "Assembles and solves a model and writes the results.",
      "halfarrow run examples/rlc.bgl --t-end '20 ms' -o rlc.csv", &ha__result_formats, 0 },
    { "linearise", cmd_linearise,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(U) | CLI_BIT(Y) | CLI_BIT(AT) |
          CLI_BIT(FORCE),
      CLI_RUN,
      "Linearises a model at its assembled start: A, B, C, D with independent states, constraints\n"
      "eliminated, and the eigenvalues.",
      "halfarrow linearise examples/rlc.bgl --u Se --y C.e", &linear_formats, 0 },
    { "modes", cmd_modes,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(AT) | CLI_BIT(FORCE) | CLI_BIT(COUNT) |
          CLI_BIT(MODE) | CLI_BIT(SWEEP),
      CLI_RUN,
      "Finds modes of vibration: frequency, damping, shapes of all bodies, and the shares of\n"
      "inertias, springs, weights and resistors in the energy of each; all up to 300 states, else\n"
      "the ten lowest.",
      "halfarrow modes examples/quarter_car.yaml --at equilibrium", &modes_formats, 0 },
    { "frequency", cmd_frequency,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(U) | CLI_BIT(Y) | CLI_BIT(AT) |
          CLI_BIT(FORCE) | CLI_BIT(FROM) | CLI_BIT(TO) | CLI_BIT(COUNT) | CLI_BIT(PLOT),
      CLI_RUN,
      "Finds the frequency response: magnitude and phase of outputs to small sinusoidal inputs,\n"
      "poles, zeros and margins. Frequencies are added where a response turns fast.",
      "halfarrow frequency examples/rlc.bgl --u Se --y C.e --from 10 --to 1000", &frequency_formats,
      0 },
    { "sensitivity", cmd_sensitivity,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(PARAMETER) | CLI_BIT(Y), CLI_RUN,
      "Finds how the outputs of a run depend on values of the model: exact derivatives at the "
      "end,\n"
      "also through events, and with -o over the run, or as a plot of the largest influences.",
      "halfarrow sensitivity examples/pendulum.yaml --parameter parameters.length --y rod.angle",
      &sensitivity_formats, 0 },
    { "statics", cmd_statics,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(KEEP_FIXED) | CLI_BIT(SWEEP), 0,
      "Finds where a model stays at rest, from its start on: positions, all forces, and whether "
      "the\n"
      "equilibrium is stable. Start values are guesses.",
      "halfarrow statics examples/pendulum.yaml", NULL, 0 },
    { "periodic", cmd_periodic, CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(PERIOD),
      CLI_RUN,
      "Finds the steady cycle of a machine without waiting for it, from its start on: period, "
      "Floquet\n"
      "multipliers, and all outputs over one period. The period is that of what drives the model,\n"
      "or its own.",
      "halfarrow periodic examples/slider_crank.yaml", &ha__result_formats, 0 },
    { "inverse", cmd_inverse, CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(COMPILE),
      CLI_RUN,
      "Inverse dynamics of a mechanism whose motions are all prescribed: as `run`, but positions,\n"
      "velocities, accelerations, efforts of the drives and reactions are solved for at each row,\n"
      "without integration.",
      "halfarrow inverse examples/slider_crank_driven.yaml -o crank.csv", &ha__result_formats, 0 },
    { "study", cmd_study,
      CLI_MODEL | CLI_BIT(OUTPUT) | CLI_BIT(JSON) | CLI_BIT(JOBS) | CLI_BIT(SHARD) |
          CLI_BIT(MERGE) | CLI_BIT(RESUME) | CLI_BIT(SLURM),
      CLI_RUN_BIT(t_end),
      "Runs a model many times with values that vary, as the file STUDY or the section `study` of\n"
      "the model says, and writes DIR/results.csv, a row for each run. With --merge the arguments\n"
      "are directories of shards.",
      "halfarrow study examples/four_bar.yaml tolerances.yaml -o results", NULL, CLI_FILES },
    { "fit", cmd_fit, CLI_MODEL | CLI_BIT(OUTPUT) | CLI_BIT(JSON),
      CLI_RUN & ~(CLI_RUN_BIT(t_end) | CLI_RUN_BIT(step) | CLI_RUN_BIT(events) |
                  CLI_RUN_BIT(digits) | CLI_RUN_BIT(from)),
      "Fits values of a model to measurements, as `fit` in the file STUDY or in the section "
      "`study`\n"
      "of the model says: estimates, standard errors, correlations, and what the data do not\n"
      "determine. With -o the data against the fit, as a table or a plot.",
      "halfarrow fit swing.yaml swing_fit.yaml -o swing.svg", &fit_formats, CLI_FILES },
    { "compare", cmd_compare,
      CLI_MODEL | CLI_BIT(JSON) | CLI_BIT(OUTPUT) | CLI_BIT(SWEEP) | CLI_BIT(Y) | CLI_BIT(LOG) |
          CLI_BIT(COMPILE) | CLI_BIT(PERIOD),
      CLI_RUN,
      "Runs variants of a model side by side: equations and causality that differ, how far each\n"
      "output is from that of the first variant, and what each run costs. Without --variant all\n"
      "are compared with the file as it stands, `base`. Plots are those of the outputs or of the "
      "sweep.",
      "halfarrow compare examples/motor_speed.yaml --variant base --variant unlimited",
      &cmd_compare_formats, 0 },
    { "plot", cmd_plot,
      CLI_ALWAYS | CLI_BIT(OUTPUT) | CLI_BIT(Y) | CLI_BIT(X) | CLI_BIT(PANELS) | CLI_BIT(UNIT) |
          CLI_BIT(WHEELS) | CLI_BIT(SIZE) | CLI_BIT(GREY),
      0,
      "Plots results over time, through gnuplot; without -o the plot is made of characters.\n"
      "Each RESULT is a .csv or .mat file; several are laid over each other. A name may be\n"
      "`magnitude(O.force)`, `magnitude(rod.v)`: the length of a vector.",
      "halfarrow plot out.csv --y K1.omega,K3.angle -o fig.svg", &gnuplot_formats, CLI_RESULTS },
    { "draw", cmd_draw,
      CLI_MODEL | CLI_BIT(OUTPUT) | CLI_BIT(LEVEL) | CLI_BIT(LAYOUT) | CLI_BIT(ACAUSAL) |
          CLI_BIT(NO_LEGEND) | CLI_BIT(MECHANISM) | CLI_BIT(ARROWS) | CLI_BIT(AT) | CLI_BIT(Y) |
          CLI_BIT(WATCH),
      CLI_RUN, "Draws the bond graph; with --mechanism the mechanism, where it is at times.",
      "halfarrow draw examples/rlc.bgl -o rlc.svg", &bg__draw_formats, CLI_WRITES },
    { "report", cmd_report,
      CLI_MODEL | CLI_BIT(OUTPUT) | CLI_BIT(AT) | CLI_BIT(FORCE) | CLI_BIT(U) | CLI_BIT(Y) |
          CLI_BIT(FROM) | CLI_BIT(TO) | CLI_BIT(LIMIT) | CLI_BIT(LIVE) | CLI_BIT(WATCH),
      CLI_RUN,
      "Makes one page (HTML) of a model and its run: bond graph with the power through every "
      "bond,\n"
      "moving mechanism, plots, causality step by step, audit. It needs neither files nor a "
      "network.\n"
      "With several --variant NAME it shows them over each other. Modes are there where the start "
      "is\n"
      "an equilibrium, or with --at; with --u and --y a frequency response, too.",
      "halfarrow report examples/andrews.yaml -o andrews.html", NULL, 0 },
    { "animate", cmd_animate, CLI_MODEL | CLI_BIT(OUTPUT) | CLI_BIT(DURATION) | CLI_BIT(ARROWS),
      CLI_RUN, "Makes a film of a mechanism.",
      "halfarrow animate examples/four_bar.yaml -o four_bar.gif", &cmd_animate_formats,
      CLI_WRITES },
    { "convert", cmd_convert, CLI_MODEL | CLI_BIT(OUTPUT) | CLI_BIT(PACK), 0,
      "Writes a bond graph in another format, or a model file with all that it includes.",
      "halfarrow convert examples/motor.bgl -o motor.yaml", &cmd_convert_formats, CLI_WRITES },
};

static void print_help(void)
{
    printf("Usage: halfarrow COMMAND [OPTION]... FILE\n\n"
           "Bond graphs with causality, and planar mechanisms built on them.\n\nCommands:\n");
    for (size_t i = 0; i < HA_COUNT(commands); i++) {
        int length = (int) strcspn(commands[i].sentence, ".:;");
        char sentence[200];
        snprintf(sentence, sizeof sentence, "%.*s", length, commands[i].sentence);
        for (char *c = sentence; *c != '\0'; c++) {
            *c = *c == '\n' ? ' ' : *c;
        }
        printf("  %-11s %s\n", commands[i].name, sentence);
    }
    printf("\n`halfarrow COMMAND --help` describes a command, `halfarrow --version` the program.\n"
           "\nExample:\n  halfarrow check --graph 'Se>1a>R;1a>I;1a>C'\n");
}

static const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < HA_COUNT(commands); i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static ha_status fail_command(ha_ctx *ctx, const char *name)
{
    const char *names[HA_COUNT(commands)];
    const char *near = NULL;

    for (size_t i = 0; i < HA_COUNT(commands); i++) {
        names[i] = commands[i].name;
    }
    near = ha__nearest(name, names, HA_COUNT(commands));
    return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "there is no command `%s`%s%s%s; see `halfarrow --help`", name,
                   near == NULL ? "" : ", do you mean `", near == NULL ? "" : near,
                   near == NULL ? "" : "`?");
}

/* Models may include the parts that lie beside the program: so they do in a wheel for Python, which
   may be anywhere. */
static ha_status add_parts_beside(cli_call *cli)
{
    static const char name[] = "library";
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof name);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    struct stat found;

    if (slash != NULL) {
        memcpy(slash + 1, name, sizeof name);
        if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
            HA_TRY_PUSH(cli->ctx, &cli->libraries, path);
        }
    }
    return HA_OK;
}

/* Runs a command whose name is argv[0]. */
static ha_status run_command(cli_call *cli, int argc, char **argv)
{
    HA_TRY(cli_read(cli, argc, argv));
    HA_TRY(add_parts_beside(cli));
    if (cli_has(cli, CLI_HELP)) {
        cli_print_help(cli->ctx, cli->command);
        return HA_OK;
    }
    if (cli_has(cli, CLI_VERSION)) {
        cli_print_version();
        return HA_OK;
    }
    if (cli_has(cli, CLI_WATCH)) {
        return watch(cli);
    }
    HA_TRY(cli_read_input(cli, cli->file));
    return cli->command->run(cli);
}

/* What stands in front of a command, or instead of one. */
static ha_status start(cli_call *cli, int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : NULL;

    if (first == NULL) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "a command is missing; see `halfarrow --help`");
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        const cli_command *asked = argc > 2 ? find_command(argv[2]) : NULL;
        if (asked != NULL) {
            cli_print_help(cli->ctx, asked);
        } else {
            print_help();
        }
        return HA_OK;
    }
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        cli_print_version();
        return HA_OK;
    }
    if (strcmp(first, "completion") == 0) {
        completion_print(commands, HA_COUNT(commands), argc - 2, argv + 2);
        return HA_OK;
    }
    cli->command = find_command(first);
    return cli->command == NULL ? fail_command(cli->ctx, first)
                                : run_command(cli, argc - 1, argv + 1);
}

/* OpenBLAS, which stands behind LAPACK on many systems, starts a thread per processor when it is
   loaded, and under a limit of memory waits for ever at the end for those that did not start. The
   number of threads is read from the environment before main() is, so the program begins again with
   one thread, which is all it ever uses, whatever the environment says. */
static void begin_again_with_one_thread(char **argv)
{
    static const char name[] = "OPENBLAS_NUM_THREADS";
    const char *threads = getenv(name);
    const bool is_one = threads != NULL && strcmp(threads, "1") == 0;
    struct rlimit memory = { 0 };

    if (!is_one && getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur != RLIM_INFINITY &&
        setenv(name, "1", 1) == 0) {
        (void) execv("/proc/self/exe", argv); /* where that fails the program goes on */
    }
}

int main(int argc, char **argv)
{
    begin_again_with_one_thread(argv);

    cli_call cli = { .ctx = ha_ctx_new() };

    /* a file that grows too large is then an error of writing, after which nothing is left behind
     */
    (void) signal(SIGXFSZ, SIG_IGN);
    if (cli.ctx == NULL) {
        fputs("halfarrow: error: out of memory\n", stderr);
        return ha_status_exit(HA_ERR_MEMORY);
    }
    ha_status status = start(&cli, argc, argv);
    HA_THEN(status, cli_finish_output(&cli));
    cli_print_diags(&cli);
    if (status != HA_OK && ha_ctx_n_errors(cli.ctx) == 0) {
        fprintf(stderr, "halfarrow: error: %s\n", ha_status_text(status));
    }
    HA_ARRAY_CLEAR(&cli.files, &cli.sets, &cli.libraries, &cli.limits, &cli.ranges, &cli.variants);
    ha__free(cli.input);
    ha_ctx_free(cli.ctx);
    return ha_status_exit(status);
}
