/* The words that an option or an argument can be given, as far as they are names: for completion. */
#ifndef HOST_CMD_VALUES_H
#define HOST_CMD_VALUES_H

/** Called for each word, with one line about it ("" for nothing to say). */
typedef void value_each(void *ctx, const char *word, const char *about);

/** What a place takes: names; of FILES and DIRECTORIES the shell knows better. */
enum value_kind {
    VALUE_NONE,
    VALUE_FILES,
    VALUE_DIRECTORIES,
    VALUE_IMAGES,
    VALUE_PRESETS,
    VALUE_DRAM_PRESETS,
    VALUE_DESIGNS,
    VALUE_CORES,
    VALUE_KERNELS,
    VALUE_KEYS, /**< of a configuration, with a = behind */
    VALUE_STUDIES,
    VALUE_ROWS, /**< of the study that `of` names */
    VALUE_COMMANDS,
    VALUE_PAPERS,
    VALUE_PAIRS,
    VALUE_METRICS,
};

/** What the long option `option` of command `command` takes, whose argument --help calls `arg`. */
enum value_kind value_of_option(const char *command, const char *option, const char *arg);

/** What a word of a command's args_doc stands for, such as IMAGE. */
enum value_kind value_of_argument(const char *word);

/** All words of a kind; of files none. */
void value_list(enum value_kind kind, const char *of, value_each *each, void *ctx);

#endif
