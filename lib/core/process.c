/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a helper program: posix_spawn, three channels and one poll loop.
 *
 * Standard input is one end of a socket pair, because send() can be told not to raise SIGPIPE and a
 * write to a pipe cannot. All our ends are closed in the child and do not block.
 */
#include <config.h>

#include "lib/core/process.h"

#include "lib/core/clock.h"
#include "lib/core/mem.h"
#include "lib/core/number.h"
#include "lib/core/reason.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    CHUNK = 65536,
    SLICE = 100,       /* ms between two looks at the interrupt flag */
    MAX_MESSAGE = 4096 /* bytes of standard error that are kept */
};

static const double DEFAULT_LIMIT = 60.0;              /* [s] */
static const size_t DEFAULT_OUTPUT = (size_t) 1 << 30; /* bytes */

/* The child and our ends of its channels. */
typedef struct child {
    ha_ctx *ctx;
    const ha__process *process;
    pid_t pid; /* 0: not running */
    int in;    /* -1: closed */
    int out;
    int err;
    size_t sent;
    HA_ARRAY(char) text;
    char message[MAX_MESSAGE + 1];
    size_t message_length;
    bool is_too_long; /* the output */
    double limit;     /* [s] */
    double end;       /* when the limit is reached */
} child;

static const char *title_of(const child *c)
{
    return c->process->title != NULL ? c->process->title : c->process->arguments[0];
}

static void close_end(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static ha_status fail_to_start(const child *c, int error)
{
    const char *advice = c->process->advice;

    if (error == ENOENT) {
        return ha_fail(c->ctx, HA_ERR_PROCESS, HA_NOWHERE, "%s was not found%s%s", title_of(c),
                       advice != NULL ? "; " : "", advice != NULL ? advice : "");
    }
    char reason[256];
    const char *text = ha__reason(error, reason, sizeof reason);
    return ha_fail(c->ctx, HA_ERR_PROCESS, HA_NOWHERE, "%s could not be started: %s", title_of(c),
                   text);
}

/* ---- start ---- */

/* Both ends of the three channels: [0] ours, [1] the child's. */
typedef struct ends {
    int in[2];
    int out[2];
    int err[2];
} ends;

static void close_ends(ends *e)
{
    for (int side = 0; side < 2; side++) {
        close_end(&e->in[side]);
        close_end(&e->out[side]);
        close_end(&e->err[side]);
    }
}

static bool set_flags(int fd, bool blocks)
{
    int flags = fcntl(fd, F_GETFL);

    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && flags >= 0 &&
           (blocks || fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0);
}

/* Moves a descriptor above the standard ones, which the child's are copied to. */
static bool move_up(int *fd)
{
    int moved = *fd > 2 ? *fd : fcntl(*fd, F_DUPFD_CLOEXEC, 3);

    if (moved != *fd) {
        close(*fd);
        *fd = moved;
    }
    return moved >= 0;
}

static bool make_ends(ends *e)
{
    *e = (ends){ { -1, -1 }, { -1, -1 }, { -1, -1 } };
    bool good =
        socketpair(AF_UNIX, SOCK_STREAM, 0, e->in) == 0 && pipe(e->out) == 0 && pipe(e->err) == 0;
    for (int side = 0; side < 2 && good; side++) {
        good = move_up(&e->in[side]) && move_up(&e->out[side]) && move_up(&e->err[side]) &&
               set_flags(e->in[side], side == 1) && set_flags(e->out[side], side == 1) &&
               set_flags(e->err[side], side == 1);
    }
    return good;
}

/* Default handling and no blocking of signals in the child, whatever the host does. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t defaults;
    sigset_t mask;

    sigemptyset(&mask);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGCHLD);
    int error = posix_spawnattr_setsigdefault(attributes, &defaults);
    error = error != 0 ? error : posix_spawnattr_setsigmask(attributes, &mask);
    return error != 0 ? error
                      : posix_spawnattr_setflags(attributes,
                                                 POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

static int spawn(child *c, const ends *e)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    union {
        const char *const *given;
        char **wanted; /* posix_spawnp() does not change them */
    } arguments = { c->process->arguments };

    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = posix_spawn_file_actions_adddup2(&actions, e->in[1], 0);
        error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, e->out[1], 1);
        error = error != 0 ? error : posix_spawn_file_actions_adddup2(&actions, e->err[1], 2);
        error = error != 0 ? error : set_signals(&attributes);
        error = error != 0 ? error
                           : posix_spawnp(&c->pid, arguments.wanted[0], &actions, &attributes,
                                          arguments.wanted, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static ha_status start(child *c)
{
    ends e;

    if (!make_ends(&e)) {
        int error = errno;
        close_ends(&e);
        return fail_to_start(c, error);
    }
    int error = spawn(c, &e);
    if (error != 0) {
        c->pid = 0;
        close_ends(&e);
        return fail_to_start(c, error);
    }
    close_end(&e.in[1]);
    close_end(&e.out[1]);
    close_end(&e.err[1]);
    c->in = e.in[0];
    c->out = e.out[0];
    c->err = e.err[0];
    return HA_OK;
}

/* ---- exchange ---- */

static bool would_block(void)
{
    return errno == EAGAIN || errno == EINTR;
}

/* Sends what the socket takes; a helper that has stopped reading is left alone. */
static void send_input(child *c)
{
    size_t left = c->process->input_length - c->sent;
    ssize_t sent = left == 0 ? 0 : send(c->in, c->process->input + c->sent, left, MSG_NOSIGNAL);

    if (sent > 0) {
        c->sent += (size_t) sent;
    }
    if (c->sent == c->process->input_length || (sent < 0 && !would_block())) {
        close_end(&c->in);
    }
}

static ha_status receive_output(child *c)
{
    size_t limit = c->process->max_output > 0 ? c->process->max_output : DEFAULT_OUTPUT;

    HA_TRY_ROOM(c->ctx, &c->text, CHUNK + 1);
    ssize_t got = read(c->out, c->text.items + c->text.count, CHUNK);
    if (got > 0) {
        c->text.count += (size_t) got;
        c->is_too_long = c->text.count > limit;
    } else if (got == 0 || !would_block()) {
        close_end(&c->out);
    }
    return HA_OK;
}

/* Keeps the beginning of standard error and drops the rest. */
static void receive_message(child *c)
{
    char dropped[1024];
    size_t room = MAX_MESSAGE - c->message_length;
    ssize_t got = room > 0 ? read(c->err, c->message + c->message_length, room)
                           : read(c->err, dropped, sizeof dropped);

    if (got > 0 && room > 0) {
        c->message_length += (size_t) got;
    } else if (got == 0 || (got < 0 && !would_block())) {
        close_end(&c->err);
    }
}

/* Fails when the child has to be stopped. */
static ha_status check(const child *c)
{
    char number[HA__NUMBER_SIZE];

    if (ha_ctx_is_interrupted(c->ctx)) {
        return ha_fail(c->ctx, HA_ERR_INTERRUPTED, HA_NOWHERE, "%s was interrupted", title_of(c));
    }
    if (ha__clock() >= c->end) {
        return ha_fail(c->ctx, HA_ERR_PROCESS, HA_NOWHERE,
                       "%s was stopped because it had not ended after %s s; give it less to do",
                       title_of(c), ha__print_short_number(number, c->limit));
    }
    if (c->is_too_long) {
        return ha_fail(c->ctx, HA_ERR_PROCESS, HA_NOWHERE,
                       "%s was stopped because it wrote more than %zu bytes", title_of(c),
                       c->process->max_output > 0 ? c->process->max_output : DEFAULT_OUTPUT);
    }
    return HA_OK;
}

/* Feeds the child and collects until it has closed its output and messages. */
static ha_status exchange(child *c)
{
    while (c->out >= 0 || c->err >= 0) {
        struct pollfd channels[3] = { { c->in, POLLOUT, 0 },
                                      { c->out, POLLIN, 0 },
                                      { c->err, POLLIN, 0 } };
        double left = c->end - ha__clock();
        int wait = left < 1e-3 * SLICE ? (int) (fmax(left, 0.0) * 1e3) + 1 : SLICE;
        HA_TRY(check(c));
        if (poll(channels, 3, wait) <= 0) {
            continue;
        }
        if (channels[0].revents != 0) {
            send_input(c);
        }
        if (channels[1].revents != 0) {
            HA_TRY(receive_output(c));
        }
        if (channels[2].revents != 0) {
            receive_message(c);
        }
    }
    return HA_OK;
}

/* ---- end ---- */

/* Waits for the child's end and its wait status, -1 when the host lets the system take it. */
static ha_status await_end(child *c, int *ended)
{
    const struct timespec nap = { 0, 1000000 };
    pid_t pid = 0;

    for (;;) {
        pid = waitpid(c->pid, ended, WNOHANG);
        if (pid > 0) {
            return HA_OK;
        }
        if (pid < 0 && errno != EINTR) {
            *ended = -1;
            return HA_OK;
        }
        HA_TRY(check(c));
        nanosleep(&nap, NULL);
    }
}

static void kill_child(const child *c)
{
    int ended = 0;

    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &ended, 0) < 0 && errno == EINTR) {
    }
}

/* Judges how the child ended. */
static ha_status judge(child *c, int ended)
{
    size_t length = c->message_length;

    if (ended == -1 || (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)) {
        return HA_OK;
    }
    while (length > 0 && (c->message[length - 1] == '\n' || c->message[length - 1] == ' ')) {
        length--;
    }
    c->message[length] = '\0';
    const char *gap = length > 0 ? ": " : "";
    if (WIFSIGNALED(ended)) {
        return ha_fail(c->ctx, HA_ERR_PROCESS, HA_NOWHERE, "%s was killed by signal %d%s%s",
                       title_of(c), WTERMSIG(ended), gap, c->message);
    }
    /* some systems start a missing program first and end it with 127 */
    if (WEXITSTATUS(ended) == 127 && length == 0 && c->text.count == 0) {
        return fail_to_start(c, ENOENT);
    }
    return ha_fail(c->ctx, HA_ERR_PROCESS, HA_NOWHERE, "%s failed with exit status %d%s%s",
                   title_of(c), WEXITSTATUS(ended), gap, c->message);
}

ha_status ha__process_run(ha_ctx *ctx, const ha__process *process, char **output,
                          size_t *output_length)
{
    child c = { .ctx = ctx, .process = process, .in = -1, .out = -1, .err = -1 };

    c.limit = process->time_limit > 0.0 ? process->time_limit : DEFAULT_LIMIT;
    c.end = ha__clock() + c.limit;
    HA_TRY_ROOM(ctx, &c.text, CHUNK + 1);
    ha_status status = start(&c);
    if (status == HA_OK) {
        int ended = 0;
        status = exchange(&c);
        close_end(&c.in);
        close_end(&c.out);
        close_end(&c.err);
        HA_THEN(status, await_end(&c, &ended));
        if (status == HA_OK) {
            status = judge(&c, ended);
        } else {
            kill_child(&c);
        }
    }
    if (status != HA_OK) {
        HA_ARRAY_CLEAR(&c.text);
        return status;
    }
    c.text.items[c.text.count] = '\0';
    *output = c.text.items;
    *output_length = c.text.count;
    return HA_OK;
}
