function __NAME_is
    set -l inner
    if set -l at (contains --index -- -- $argv)
        set inner $argv[$at..-1]
        set argv $argv[1..$at]
        set -e argv[-1]
    end
    set -l words (commandline -opc)
    set -e words[1]
    set words (string match --invert -- '-*' $words)
    for word in $argv
        test "$words[1]" = "$word"; or return 1
        set -e words[1]
    end
    test (count $words) -eq 0; or not contains -- "$words[1]" $inner
end

complete -c NAME -f
