# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Source packages, fetched with apt as Debian's archive has them now; no system file is touched. Sourced behind cache.sh
# by the scripts that build from them.

apt_private() {
    local tool=$1
    shift
    "$tool" -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$download/sources" \
        -o Dir::State::Lists="$download/lists" -o Dir::Cache="$download/cache" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

# The same from apt's own files, for a system whose package lists are removed (as in containers).
mirrors_of_system() {
    local codename
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    {
        sed -n 's/^deb \(\[[^]]*\] \)\?//p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null
        awk -v RS= '/(^|\n)Types:[^\n]*deb/ {
            uris = suites = ""
            for (i = split($0, line, "\n"); i; i--) {
                if (sub(/^URIs: */, "", line[i])) uris = line[i]
                if (sub(/^Suites: */, "", line[i])) suites = line[i]
            }
            n = split(uris, u, " "); m = split(suites, s, " ")
            for (i = 1; i <= n; i++) for (j = 1; j <= m; j++) print u[i], s[j], "main"
        }' /etc/apt/sources.list.d/*.sources 2>/dev/null
    } | awk -v codename="$codename" '$2 == codename || index($2, codename "-") == 1 {print $1, $2, "main"}'
}

# The system's own Debian mirrors.
write_sources() {
    local signed='' mirrors
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ ! -e $keyring ] || signed="[signed-by=$keyring]"
    # shellcheck disable=SC2016 # apt's own placeholders
    mirrors=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' 'Component: main' 2>/dev/null || true)
    [ -n "$mirrors" ] || mirrors=$(mirrors_of_system)
    [ -n "$mirrors" ] || die "apt knows no Debian mirror with component main: add one to its sources"
    printf '%s\n' "$mirrors" | sort -u | sed "s|^|deb-src $signed |" >"$download/sources/debian.list"
}

# fetch_source PACKAGE VERSION REMEDY -- into $download/files, the newest that begins with VERSION and goes on with + or .
fetch_source() {
    local version
    mkdir -p "$download/sources" "$download/lists/partial" "$download/cache/archives/partial" "$download/files"
    write_sources
    run_logged "$download/update.log" apt_private apt-get update
    version=$(apt_private apt-cache showsrc "$1" 2>/dev/null | sed -n 's/^Version: //p' | grep -E "^$2[+.]" |
        sort -V | tail -n 1) || true
    [ -n "$version" ] || die "no $1 $2 source package at $(cut -d' ' -f2- "$download/sources/debian.list" |
        tr '\n' ';') -- $3"
    say "downloading the source of $1 $version"
    cd "$download/files"
    run_logged "$download/source.log" apt_private apt-get source --download-only --only-source "$1=$version"
    cd - >/dev/null
    rm -rf "$download/lists" "$download/cache"
}

# fetch_once PACKAGE VERSION REMEDY -- sets download; what is there is not fetched again.
fetch_once() {
    download=$cache/$1-${2#*:}-source
    lock "$download.lock"
    mkdir -p "$download"
    if ! done_with "$download" fetched; then
        fetch_source "$@"
        finish "$download" fetched
    fi
}
