#!/bin/sh
# Recreates the certificates of the receiver farm: its authority, and certificates that it signed or did not sign.
# Run in this folder; the keys are for tests only and protect nothing. Dates are fixed, so they do not depend on the clock.
set -eu
work=$(mktemp -d)
cat > "$work/ca.cnf" <<EOF
[ca]
default_ca = farm
[farm]
new_certs_dir = $work
database = $work/index
rand_serial = yes
default_md = sha256
policy = anything
unique_subject = no
[anything]
commonName = supplied
EOF
: > "$work/index"

certify() { # name, extensions, first day, last day, how it is signed
  openssl ecparam -name prime256v1 -genkey -noout -out "$work/$1.key"
  openssl req -new -key "$work/$1.key" -subj "/CN=receiver farm $1" -out "$work/$1.csr"
  printf '%s\n' "$2" > "$work/$1.ext"
  signed_by=${5:-"-cert $work/authority.crt -keyfile $work/authority.key"}
  # shellcheck disable=SC2086 # several words
  openssl ca -batch -notext -config "$work/ca.cnf" -startdate "$3000000Z" -enddate "$4000000Z" -extfile "$work/$1.ext" \
    $signed_by -in "$work/$1.csr" -out "$work/$1.crt"
  cat "$work/$1.crt" "$work/$1.key" > "$1.pem"
}
here="subjectAltName=DNS:localhost,DNS:receiver.example,IP:127.0.0.1,IP:::1"
certify authority "basicConstraints=critical,CA:TRUE" 20200101 21200101 "-selfsign -keyfile $work/authority.key"
cp "$work/authority.crt" authority.pem
certify trusted "$here" 20200101 21200101
certify expired "$here" 20200101 20201231
certify other-host "subjectAltName=DNS:other.example" 20200101 21200101
certify self-signed "$here" 20200101 21200101 "-selfsign -keyfile $work/self-signed.key"
rm -r "$work"
