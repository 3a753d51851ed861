# Completion of memhelm in fish.
function __memhelm_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    for line in ($program completion words -- $words (commandline -ct) 2> /dev/null)
        switch $line
            case ':files'
                __fish_complete_path (commandline -ct)
            case ':directories'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c memhelm -f -a '(__memhelm_complete)'
