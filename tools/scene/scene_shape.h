/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shape of a body as paths of an SVG. */
#ifndef TOOLS_SCENE_SHAPE_H
#define TOOLS_SCENE_SHAPE_H

#include "lib/core/strbuf.h"
#include "mech2d/scene.h"

/* Adds a path for each plate of a body, in the body's axes, `scale` units of the picture for a
   metre. */
void scene_add_plates(m2d_mechanism *mechanism, int body, double scale, ha__strbuf *out);

#endif
