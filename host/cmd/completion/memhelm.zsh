#compdef memhelm
# Completion of memhelm in zsh.
_memhelm() {
    local line files=
    local -a found open
    for line in "${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
        case $line in
            '') ;;
            :files) files=all ;;
            :directories) files=directories ;;
            *=$'\t'*) open+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            *) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
        esac
    done
    (( ${#found} )) && _describe memhelm found
    (( ${#open} )) && _describe memhelm open -S ''
    [[ $files == all ]] && _files
    [[ $files == directories ]] && _files -/
    return 0
}
if [[ ${funcstack[1]} == _memhelm ]]; then _memhelm "$@"; else compdef _memhelm memhelm; fi
