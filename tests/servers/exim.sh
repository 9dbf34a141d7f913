#!/bin/sh
# usage: exim.sh DIR LMTP_PORT TLS_DIR
# Exim with SMTP (plain and STARTTLS) and SMTPS; all mail goes on to the LMTP port. User "bot", password "secret".
# Faults by the recipient's local part: reject* gets 550, greylist* gets 451 at the first try, busy* always 451.
# Mails above 5 MB get 552.
set -eu
. "$(dirname "$0")/lib.sh"
need exim4 exim4-daemon-light
need perl perl
mkdir -p "$1"
D=$(cd "$1" && pwd)
LMTP=$2
TLS=$3
mkdir -p "$D/spool" "$D/log"
certificates "$TLS"
if [ ! -f "$D/ports" ]; then
    printf 'SMTP=%s\nSMTPS=%s\n' "$(free_port)" "$(free_port)" >"$D/ports.new"
    mv "$D/ports.new" "$D/ports"
fi
. "$D/ports"
cp "$TLS/key.pem" "$D/key.pem"
cp "$TLS/cert.pem" "$D/cert.pem"
if [ "$(id -u)" = 0 ]; then
    user=nobody group=nogroup
    chmod 755 "$D"
    chown -R nobody:nogroup "$D/spool" "$D/log" "$D/key.pem"
else
    user=$(id -un) group=$(id -gn)
fi
cat >"$D/exim.conf" <<CONF
exim_user = $user
exim_group = $group
spool_directory = $D/spool
log_file_path = $D/log/%slog
pid_file_path = $D/exim.pid
primary_hostname = localhost
hosts_treat_as_local =
local_interfaces = 127.0.0.1
daemon_startup_retries = 0
daemon_smtp_ports = $SMTP : $SMTPS
tls_on_connect_ports = $SMTPS
tls_advertise_hosts = *
tls_certificate = $D/cert.pem
tls_privatekey = $D/key.pem
message_size_limit = 5M
never_users =
keep_environment =
acl_smtp_mail = acl_mail
acl_smtp_rcpt = acl_rcpt
acl_smtp_data = acl_data
begin acl
acl_mail:
  accept
acl_rcpt:
  deny    local_parts = ^reject
          message     = 550 5.1.1 no such user
  defer   local_parts = ^busy
          message     = 451 4.3.2 try again later
  defer   local_parts = ^greylist
          condition   = \${if exists{$D/spool/grey-\$local_part}{no}{yes}}
          message     = 451 4.7.1 greylisted, try again
          logwrite    = :main: greylist \${run{/usr/bin/touch $D/spool/grey-\$local_part}}
  accept
acl_data:
  accept
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if and{{eq{\$auth2}{bot}}{eq{\$auth3}{secret}}}}
  server_set_id = \$auth2
  server_advertise_condition = *
begin routers
all:
  driver = manualroute
  transport = lmtp
  route_list = * 127.0.0.1
  self = send
begin transports
lmtp:
  driver = smtp
  protocol = lmtp
  hosts = 127.0.0.1
  port = $LMTP
  hosts_override
  allow_localhost
  hosts_avoid_tls = *
begin retry
*  *  F,2h,5s
CONF
follow_parent
exec exim4 -C "$D/exim.conf" -bdf -q5s
