#!/bin/sh
# usage: public-inbox.sh DIR            serves the list by IMAP and IMAPS
#        public-inbox.sh DIR deliver    takes a mail from stdin (it must have From, Date, Message-ID)
# The software behind lore.kernel.org: read-only, any user and password, the list inbox.test.perf in slices.
set -eu
. "$(dirname "$0")/lib.sh"
need public-inbox-imapd public-inbox
need git git
need perl perl
mkdir -p "$1"
D=$(cd "$1" && pwd)
export HOME="$D/home" PI_CONFIG="$D/config" PI_EMERGENCY="$D/emergency"
if [ "${2-}" = deliver ]; then
    ORIGINAL_RECIPIENT=perf@example.org
    export ORIGINAL_RECIPIENT
    exec public-inbox-mda --no-precheck
fi
mkdir -p "$HOME"
certificates "$D/tls"
if [ ! -f "$D/ports" ]; then
    public-inbox-init -V2 --ng inbox.test.perf perf "$D/perf" http://localhost/perf perf@example.org 2>"$D/init.log"
    git config -f "$PI_CONFIG" publicinboxmda.spamcheck none
    public-inbox-index -q "$D/perf" 2>>"$D/init.log" || true
    printf 'IMAP=%s\nIMAPS=%s\n' "$(free_port)" "$(free_port)" >"$D/ports.new"
    mv "$D/ports.new" "$D/ports"
fi
. "$D/ports"
follow_parent
exec public-inbox-imapd -W0 -1 "$D/imapd.out" -2 "$D/imapd.err" \
    -l "imap://127.0.0.1:$IMAP/?cert=$D/tls/cert.pem,key=$D/tls/key.pem" \
    -l "imaps://127.0.0.1:$IMAPS/?cert=$D/tls/cert.pem,key=$D/tls/key.pem"
