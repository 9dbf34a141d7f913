#!/bin/sh
# usage: dovecot.sh DIR
# Dovecot with IMAP (plain and STARTTLS), IMAPS and LMTP. Any user exists, with the password "secret"; XOAUTH2 asks the
# introspection server at the port OAUTH (see introspection.pl). A second start in the same DIR keeps ports and mail.
set -eu
. "$(dirname "$0")/lib.sh"
need dovecot dovecot-imapd dovecot-lmtpd
need perl perl
mkdir -p "$1"
D=$(cd "$1" && pwd)
mkdir -p "$D/mail" "$D/home" "$D/state"
certificates "$D/tls"
if [ ! -f "$D/ports" ]; then
    printf 'IMAP=%s\nIMAPS=%s\nLMTP=%s\nOAUTH=%s\n' "$(free_port)" "$(free_port)" "$(free_port)" "$(free_port)" >"$D/ports.new"
    mv "$D/ports.new" "$D/ports"
fi
. "$D/ports"
if [ "$(id -u)" = 0 ]; then
    internal=dovecot group=dovecot login=dovenull mail_user=nobody mail_group=nogroup
    chmod 755 "$D"
    chown nobody:nogroup "$D/mail" "$D/home"
else
    internal=$(id -un) group=$(id -gn)
    login=$internal mail_user=$internal mail_group=$group
fi
cat >"$D/dovecot.conf" <<CONF
base_dir = $D/run
state_dir = $D/state
log_path = $D/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = $internal
default_internal_group = $group
default_login_user = $login
first_valid_uid = 1
ssl = yes
ssl_cert = <$D/tls/cert.pem
ssl_key = <$D/tls/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2 oauthbearer
auth_username_format = %Ln
auth_failure_delay = 0
mail_location = maildir:$D/mail/%n
imap_idle_notify_interval = 2 mins
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = $D/oauth2.conf
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=$mail_user gid=$mail_group home=$D/home/%n allow_all_users=yes
}
namespace inbox {
  inbox = yes
  separator = /
}
service imap-login {
  chroot =
  inet_listener imap {
    port = $IMAP
  }
  inet_listener imaps {
    port = $IMAPS
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = $LMTP
  }
}
service anvil {
  chroot =
  # No growing pauses after refused logins: tests refuse many.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
CONF
cat >"$D/oauth2.conf" <<CONF
introspection_mode = post
introspection_url = http://127.0.0.1:$OAUTH/introspect
username_attribute = username
active_attribute = active
active_value = true
CONF
follow_parent
exec dovecot -F -c "$D/dovecot.conf"
