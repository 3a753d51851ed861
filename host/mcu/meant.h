/* A word that stands in another's place: what it is, and the option that takes it. */
#ifndef HOST_MCU_MEANT_H
#define HOST_MCU_MEANT_H

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
