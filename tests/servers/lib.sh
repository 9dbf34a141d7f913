# Shared by the scripts that start real servers for the tests. Sourced, not run.
#
# Every script runs its server in the foreground, on free loopback ports, with all its files below the folder that it is
# given; as root or as a plain user. Ports stand in DIR/ports (shell syntax). When stdin is a pipe, the end of the
# program at its other end takes the whole process group along.

PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
HERE=$(cd "$(dirname "$0")" && pwd)

need() { # need COMMAND PACKAGE...
    command -v "$1" >/dev/null 2>&1 && return
    command=$1
    shift
    echo "the tests need '$command': install the Debian package(s) $* (scripts/install-servers does)" >&2
    exit 69
}

free_port() {
    perl "$HERE/port.pl"
}

certificates() { # certificates DIR: a CA and a certificate of its own for localhost, once
    [ -f "$1/cert.pem" ] || sh "$HERE/certificates.sh" "$1"
}

follow_parent() {
    [ -p /dev/stdin ] || return 0
    exec 3<&0
    { cat <&3 >/dev/null; kill -KILL 0; } &
    exec 3<&- </dev/null
}
