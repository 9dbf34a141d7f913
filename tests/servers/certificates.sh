#!/bin/sh
# usage: certificates.sh DIR  ->  DIR/ca.pem DIR/cert.pem DIR/key.pem for localhost and 127.0.0.1
# The server's certificate is not the CA's own: rustls refuses a CA as a server.
set -eu
. "$(dirname "$0")/lib.sh"
need openssl openssl
mkdir -p "$1"
cd "$1"
curve="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
exec 2>openssl.log
openssl req -x509 $curve -days 3650 -subj "/CN=regard test CA" \
    -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign" \
    -keyout ca.key -out ca.pem
openssl req $curve -subj "/CN=localhost" -keyout key.pem -out request.pem
printf '%s\n' 'subjectAltName=DNS:localhost,IP:127.0.0.1' 'basicConstraints=CA:FALSE' \
    'extendedKeyUsage=serverAuth' >extensions
openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 \
    -extfile extensions -out new.pem
chmod 644 ca.pem
mv new.pem cert.pem
