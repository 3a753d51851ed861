/* The table of images, firmware/images.def, and their former names. */
#ifndef HOST_MCU_IMAGES_H
#define HOST_MCU_IMAGES_H

/** A row; its columns are explained in the table. `policies`: names, a blank behind each. */
struct image_row {
    const char *name, *paper, *preset, *steers, *needs, *sentence, *policies;
};

/** All rows; `name` is NULL behind the last. */
extern const struct image_row image_rows[];

/** NULL: the table has no such image. */
const struct image_row *image_row(const char *name);

/** What image `old` is now, such as `etc:throttle.degree=4`; NULL: nothing was called so. */
const char *image_formerly(const char *old);

#endif
