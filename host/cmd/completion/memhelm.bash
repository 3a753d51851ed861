# Completion of memhelm in bash.
_memhelm() {
    local line word=${COMP_WORDS[COMP_CWORD]} files=
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :files) files=-f ;;
            :directories) files=-d ;;
            *) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done < <("${1/#\~/$HOME}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
    case $word in
        '=') word= ;;
        --*=*) word=${word#*=} ;;
    esac
    if [[ $files ]]; then
        compopt -o filenames 2> /dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$files" -- "$word")
    fi
    # A key of --set goes on behind its =.
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2> /dev/null; fi
}
complete -F _memhelm memhelm
