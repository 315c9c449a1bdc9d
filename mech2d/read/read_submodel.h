/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Submodels of model files, for what makes instances and parts of them. Not installed. */
#ifndef MECH2D_READ_SUBMODEL_H
#define MECH2D_READ_SUBMODEL_H

#include "lib/core/input.h"
#include "mech2d/read/read_priv.h"

/* How far a submodel is. */
typedef enum m2d__progress { M2D__UNREAD, M2D__READING, M2D__READ } m2d__progress;

/* A submodel of the section `submodels`. */
struct m2d__entry {
    const char *name;
    ha_where where;
    const ha__yaml_node *node; /* as the section has it, later the body */
    m2d__library *library;     /* what the body can use */
    m2d__library *included;    /* the library of its own file, NULL: none */
    const m2d__entry *outer;   /* whose reading asked for it */
    m2d__progress progress;    /* of a bond graph; of a part while it is being read */
    bool is_part;              /* parts were made of it */
    bool is_checked;           /* its keys are known to be right */
    bool is_faulty;            /* errors in its body were reported when it was read as a part */
    bg_submodel *submodel;     /* NULL: not read yet, or with errors */
};

/* The submodels of a file, which can be used in it. */
struct m2d__library {
    ha__file_id file;          /* not known of a text or pipe without a name */
    bool is_open;              /* the body of the file is being read */
    bool has_tables;           /* those of the file were added to the mechanism of the model */
    m2d__functions *functions; /* of the file, for parts in the next; NULL: none */
    const m2d_mechanism *functions_of; /* NULL: they were not listed */
    const ha__yaml_node *root;         /* of the file, which has the tables */
    m2d__library *next;                /* file that was read before this one */
    m2d__entry *entries;
    size_t n;
};

/* The submodel of this name, NULL when there is none. */
m2d__entry *m2d__find_submodel(const m2d__library *library, const char *name);

/* The submodel whose name is near to one that is unknown, NULL when none is. */
const char *m2d__nearest_submodel(m2d__reader *r, const char *name);

/* What the body of a submodel can use. */
m2d__library *m2d__seen_by(const m2d__entry *entry);

/* Checks a submodel before its body is read in another: it is not being read already, and not too
   deep; reads its file where it has one. */
HA_MUST_CHECK ha_status m2d__open_submodel(m2d__reader *r, m2d__entry *entry, ha_where where);

/* True when the body of a submodel holds more than a bond graph. */
bool m2d__is_mechanism(const ha__yaml_node *body);

/* The keys of a submodel: in a file of its own, or in a section. */
HA_MUST_CHECK ha_status m2d__check_body(m2d__reader *r, const m2d__entry *entry);

/* The text of the default of a parameter of a submodel: `R`, or `stage1.n` of an instance in it.
   NULL when there is none. */
const char *m2d__default_of(const m2d__entry *entry, const char *name);

/* A value that is given to a parameter with the default `like` (NULL: none); where that says no
   unit, the value says it. */
ha_expr m2d__read_given(m2d__reader *r, const ha__yaml_node *node, const char *owner,
                        const char *like);

/* The text of a scalar, NULL when it is none. */
const char *m2d__text_of(const ha__yaml_node *node);

#endif
