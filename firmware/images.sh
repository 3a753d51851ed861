#!/bin/sh
# images.sh DIR [TABLE]: writes DIR/NAME.c for each row of images.def or TABLE, where it is not as it was, and prints the
# names.
mkdir -p "$1" && exec awk -v dir="$1" '
function text(file,    line, all) {
    while ((getline line < file) > 0)
        all = all line "\n"
    close(file)
    return all
}
/^IMAGE\(/ {
    name = list = $0
    sub(/^IMAGE\("/, "", name)
    sub(/".*/, "", name)
    sub(/.*", */, "", list)
    sub(/\)[ \t]*$/, "", list)
    made = "#define IMAGE_NAME \"" name "\"\n#define IMAGE_POLICIES(POLICY) POLICY(defaults) " list \
        "\n#include \"image/common/image.h\"\n"
    file = dir "/" name ".c"
    if (text(file) != made)
        printf "%s", made > file
    print name
}' "${2:-$(dirname "$0")/images.def}"
