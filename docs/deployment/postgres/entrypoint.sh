# Prepares the folder of the backups for the image's user, then goes on as the image does.
set -eu
install --directory --mode=700 --owner=postgres --group=postgres /backups /backups/wal
exec docker-entrypoint.sh "$@"
