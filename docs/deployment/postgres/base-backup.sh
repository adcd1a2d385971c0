# Copies the running database to the backups; the folder's name is the time at which the copy was complete, in UTC.
set -eu
cd "${BACKUPS:-/backups}"
export PGUSER="${PGUSER:-sluice}"
rm -rf base.part
pg_basebackup --checkpoint=fast --format=tar --gzip --wal-method=fetch --pgdata=base.part
sync base.part/*
name="base-$(date -u +%Y%m%dT%H%M%SZ)"
mv base.part "$name"
echo "$name"
