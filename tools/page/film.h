/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films of a mechanism in motion. */
#ifndef TOOLS_FILM_H
#define TOOLS_FILM_H

#include "tools/scene/scene_svg.h"

enum { FILM_RATE = 25 /* pictures a second */ };

/* What a film is made of; all is borrowed. */
typedef struct film {
    ha_ctx *ctx;
    const char *title;
    const scene *scene;
    const scene_view *view;
    int n_pictures;
    size_t (*row_of)(const void *user, int picture); /* of the scene's result, from picture 0 on */
    const void *user;
    bool has_rest; /* row 0 is shown faintly behind all */
} film;

/* Writes film-0001.svg and so on for film.svg; a GIF; an MP4. */
HA_MUST_CHECK ha_status film_write_pictures(const film *f, const char *path);
HA_MUST_CHECK ha_status film_write_gif(const film *f, const char *path);
HA_MUST_CHECK ha_status film_write_mp4(const film *f, const char *path);

#endif
