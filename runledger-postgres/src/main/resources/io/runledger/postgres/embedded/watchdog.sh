# Runs a server that must not outlive the JVM that holds the other end of standard input. Prints the server's exit code.
# Arguments: the server's directory, keep or remove, the signal that stops the server, then the server's command.
trap '' INT TERM HUP
home=$1 fate=$2 signal=$3
shift 3
exec 3<&0 </dev/null

# In a separate session, a Ctrl-C for the JVM does not reach the server. The JVM may still need the server while it shuts down.
if command -v setsid >/dev/null 2>&1; then set -- setsid "$@"; fi
"$@" >>"$home/log" 2>&1 3<&- &
server=$!

(
    read -r order <&3
    if [ "$order" = leave ]; then exit 0; fi
    # The process id comes from the server's own file, because the command may start the server through another process.
    # Another JVM may remove the directory at the same time, and the outer shell, $$, may be killed as well.
    while [ -d "$home" ] && [ ! -e "$home/exited" ]; do
        { read -r pid <"$home/data/postmaster.pid" && kill -s "$signal" "$pid"; } 2>/dev/null || kill -0 $$ 2>/dev/null || break
        sleep 0.1
    done
    if [ "$fate" = remove ]; then rm -rf "$home"; fi
) &
owner=$!

exec 3<&-
wait "$server"
status=$?
: >"$home/exited"
echo "$status"
wait "$owner"
