/* The table of images, firmware/images.def, and their former names. */
#ifndef HOST_MCU_IMAGES_H
#define HOST_MCU_IMAGES_H

#include <stdio.h>

/** A row; its columns are explained in the table. `policies`: names, a blank behind each. */
struct image_row {
    const char *name, *paper, *preset, *steers, *needs, *sentence, *policies;
};

/** A paper: its study, its own image and what that is compared with, and an example; explained in the table. */
struct paper_row {
    const char *name, *study, *title, *baseline, *image, *settings, *workload, *cycles, *preset;
};

/** Preset of its example. */
const char *paper_preset(const struct paper_row *p);

/** Prints the command that repeats a paper's example, from the program's name to --cycles, without a line's end. */
void paper_command(const struct paper_row *p, const char *program, FILE *out);

/** All rows; `name` is NULL behind the last. */
extern const struct image_row image_rows[];
extern const struct paper_row paper_rows[];

/** NULL: the table has no such image. */
const struct image_row *image_row(const char *name);

/** What image `old` is now, such as `etc:throttle.degree=4`; NULL: nothing was called so. */
const char *image_formerly(const char *old);

/* A word that stands in another's place: what it is, and the option that takes it. */

/** Where a word stands; MEANT_FILE: where a file's name should. */
enum meant_place { MEANT_IMAGE, MEANT_WORKLOAD, MEANT_PRESET, MEANT_DESIGN, MEANT_CORE, MEANT_FILE, MEANT_OTHER };

struct meant {
    char text[320]; /**< "; mask is an image: -i mask", to be put behind what is wrong; "": nothing is known of it */
};

/** "" also where the word is what belongs there. Of a workload A+B its first wrong part is looked at. */
struct meant meant_by(const char *word, enum meant_place place);

/** How the command takes an option, such as "-i" of "image"; NULL: not at all. Until it is told, none is named. */
void meant_options(const char *(*how)(const char *option));

#endif
