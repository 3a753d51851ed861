#!/bin/sh
# groups.sh FILE..: the groups of a test program, as C.
echo '#include "unit/groups.h"'
for f; do echo "int $(basename "$f" .c)(void);"; done
echo 'const struct test_group test_groups[] = {'
for f; do
    name=$(basename "$f" .c)
    slow=false
    grep -q '^/\* slow: ' "$f" && ! grep -q '^/\* invariants: ' "$f" && slow=true
    echo "    {\"$name\", $name, $slow},"
done
echo '    {0}};'
