# Writes the user whom PgBouncer accepts and connects as, then becomes PgBouncer. The password has no quotes.
set -eu
umask 077
printf '"sluice" "%s"\n' "$POSTGRES_PASSWORD" > /tmp/userlist.txt
exec pgbouncer "${1:-/etc/pgbouncer/pgbouncer.ini}"
