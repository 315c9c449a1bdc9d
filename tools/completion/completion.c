/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a shell offers while a command line is typed.
 *
 *   halfarrow completion WORD...
 *
 * gets the words behind `halfarrow`, the last of which is being typed, and prints what may stand
 * there, a line each, with a tab and a sentence behind it where there is one. Nothing printed
 * means: a file. So the scripts of the shells (tools/completion/) know nothing of the program, and
 * commands, options, their words and the names in a model follow from the tables and the model.
 */
#include <config.h>

#include "tools/completion/completion.h"

#include "bondgraph/equations/equations_input.h"
#include "bondgraph/model/run_options.h"
#include "lib/core/strbuf.h"
#include "lib/data/result_format.h"
#include "tools/completion/paths.h"
#include "tools/shared/load.h"

#include <stdio.h>
#include <string.h>

/* The words of a command line; the last one is being typed. */
typedef struct {
    const cli_command *command;
    char **words; /* (n) behind the name of the command */
    int n;
} line;

static void print_word(const char *word, const char *sentence)
{
    printf("%s%s%.*s\n", word, sentence == NULL ? "" : "\t",
           sentence == NULL ? 0 : (int) strcspn(sentence, "\n"), sentence == NULL ? "" : sentence);
}

/* The option that a word is, CLI_OPTION_COUNT: none. */
static cli_option option_of(const cli_command *command, const char *word)
{
    for (int i = 0; i < CLI_OPTION_COUNT; i++) {
        const char letter[3] = { '-', (char) cli_option_letter((cli_option) i), '\0' };
        bool is_long =
            strncmp(word, "--", 2) == 0 && strcmp(word + 2, cli_option_name((cli_option) i)) == 0;
        if (cli_takes(command, (cli_option) i) &&
            (is_long || (letter[1] != '\0' && strcmp(word, letter) == 0))) {
            return (cli_option) i;
        }
    }
    return CLI_OPTION_COUNT;
}

static void print_options(const cli_command *command)
{
    char name[64];

    for (int i = 0; i < CLI_OPTION_COUNT; i++) {
        if (cli_takes(command, (cli_option) i)) {
            snprintf(name, sizeof name, "--%s", cli_option_name((cli_option) i));
            print_word(name, cli_option_sentence((cli_option) i));
        }
    }
}

/* The first word that is no option and no option's argument: the model. NULL: none yet. */
static char *model_of(const line *l)
{
    for (int i = 0; i + 1 < l->n; i++) {
        cli_option option = option_of(l->command, l->words[i]);
        if (option < CLI_OPTION_COUNT && cli_option_argument(option) != NULL) {
            i++;
        } else if (l->words[i][0] != '-') {
            return l->words[i];
        }
    }
    return NULL;
}

/* --- names in the model ----------------------------------------------------------------------- */

static void print_variants(const cli_model *model)
{
    print_word("base", "the file as it stands");
    for (int i = 0; model->file != NULL && i < m2d_model_n_variants(model->file); i++) {
        print_word(m2d_model_variant(model->file, i), NULL);
    }
}

/* How much of a word is names already, up to the last comma or semicolon. */
static int list_length(const char *word)
{
    int length = (int) strlen(word);

    while (length > 0 && strchr(",;", word[length - 1]) == NULL) {
        length--;
    }
    return length;
}

/* Inputs of a linearisation, behind what the word has already. */
static void print_inputs(cli_model *model, const char *word)
{
    const char *name;
    size_t place = 0;

    if ((model->file != NULL &&
         m2d_keep_parameters(m2d_model_mechanism(model->file), model->graph) != HA_OK) ||
        m2d__kit_assign(model) != HA_OK) {
        return;
    }
    while ((name = bg__input_name(model->causality, &place)) != NULL) {
        printf("%.*s%s\n", list_length(word), word, name);
    }
}

/* Outputs, behind what the word has already. */
static void print_outputs(cli_model *model, const char *word)
{
    if (m2d__kit_prepare(model) != HA_OK) {
        return;
    }
    const ha_dae *dae = bg_model_dae(model->compiled);
    for (int i = 0; i < dae->n_outputs; i++) {
        printf("%.*s%s\t%s\n", list_length(word), word, dae->outputs[i].name, dae->outputs[i].unit);
    }
}

/* The outputs that a file of results has. */
static void print_columns(ha_ctx *ctx, const char *path, const char *word)
{
    ha_result *result = NULL;

    if (ha_result_read(ctx, path, &result) != HA_OK) {
        return;
    }
    for (size_t c = 1; c < ha_result_n_columns(result); c++) {
        printf("%.*s%s\t%s\n", list_length(word), word, ha_result_name(result, c),
               ha_result_unit(result, c));
    }
    ha_result_free(result);
}

/* Prints names in the model or the result of the line. */
static void print_names_of(cli_call *cli, cli_option option, const char *word)
{
    cli_model model = { 0 };

    if (ha__suffix_of(&ha__result_formats, cli->file) != NULL) {
        print_columns(cli->ctx, cli->file, word);
    } else if (option == CLI_PARAMETER) {
        paths_print(cli->ctx, cli->file, word, list_length(word), "");
    } else if (option == CLI_SET || option == CLI_SWEEP || option == CLI_LIVE) {
        paths_print(cli->ctx, cli->file, word, 0, "=");
    } else if (cli_load(cli, &model) == HA_OK) {
        if (option == CLI_VARIANT) {
            print_variants(&model);
        } else if (option == CLI_U) {
            print_inputs(&model, word);
        } else {
            print_outputs(&model, word);
        }
    }
    m2d__kit_clear(&model);
}

/* Reads the model or the result of the line, in silence, and prints names in it. */
static void print_names(const line *l, cli_option option)
{
    cli_call cli = { .ctx = ha_ctx_new(), .command = l->command, .file = model_of(l) };

    if (cli.ctx != NULL && cli.file != NULL) {
        print_names_of(&cli, option, l->words[l->n - 1]);
    }
    if (cli.ctx != NULL) {
        ha_ctx_free(cli.ctx);
    }
}

/* --- the line --------------------------------------------------------------------------------- */

/* The words of options that are none of a run. */
static const struct {
    cli_option option;
    const char *words;
} choices[] = {
    { CLI_LEVEL, "word multibond scalar" },
    { CLI_LAYOUT, "shape rows" },
    { CLI_FORMAT, "text latex c" },
    { CLI_PLOT, "bode nyquist poles" },
    { CLI_AT, "equilibrium" },
};

/* The words that an option may have. */
static void print_choices(cli_option option)
{
    const char *words =
        option >= CLI_RUN_FIRST ? bg__run_options[option - CLI_RUN_FIRST].words : NULL;

    for (size_t i = 0; i < HA_COUNT(choices); i++) {
        words = choices[i].option == option ? choices[i].words : words;
    }

    while (words != NULL && *words != '\0') {
        int length = (int) strcspn(words, " ");
        printf("%.*s\n", length, words);
        words += length + (words[length] == ' ' ? 1 : 0);
    }
}

/* The options whose arguments are names in the model. */
static bool takes_names(cli_option option)
{
    static const cli_option named[] = { CLI_VARIANT, CLI_Y,   CLI_X,     CLI_PANELS,
                                        CLI_U,       CLI_SET, CLI_SWEEP, CLI_PARAMETER };
    bool is_one = false;

    for (size_t i = 0; i < HA_COUNT(named); i++) {
        is_one |= option == named[i];
    }
    return is_one;
}

/* Whether this option is on the line; it takes no argument. */
static bool has_option(const line *l, cli_option option)
{
    bool is_there = false;

    for (int i = 0; i + 1 < l->n; i++) {
        is_there |= option_of(l->command, l->words[i]) == option;
    }
    return is_there;
}

static void complete_argument(const line *l)
{
    const char *word = l->words[l->n - 1], *before = l->n > 1 ? l->words[l->n - 2] : "";
    cli_option option = option_of(l->command, before);

    if (option == CLI_OPTION_COUNT || cli_option_argument(option) == NULL) {
        if (word[0] == '-') {
            print_options(l->command);
        } else if (has_option(l, CLI_LIVE)) {
            print_names(l, CLI_LIVE);
        }
    } else if (takes_names(option)) {
        print_names(l, option);
    } else {
        print_choices(option);
    }
}

void completion_print(const cli_command *commands, size_t n, int n_words, char **words)
{
    if (n_words <= 1) {
        for (size_t i = 0; i < n; i++) {
            print_word(commands[i].name, commands[i].sentence);
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(commands[i].name, words[0]) == 0) {
            complete_argument(&(line){ &commands[i], words + 1, n_words - 1 });
        }
    }
}
