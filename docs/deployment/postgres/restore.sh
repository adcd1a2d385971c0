# Puts the database back to the time $1, such as '2026-11-24 09:30:00+00', or without it to the end of the archive. Postgres
# must be stopped. The next start of Postgres replays the log. The former files stay beside the new ones.
set -eu
backups="${BACKUPS:-/backups}"
target="${1:-}"
limit="$(date -u -d "${target:-now}" +%Y%m%dT%H%M%SZ)"
base=
for one in "$backups"/base-*Z; do
  # Names sort by time.
  if [ -d "$one" ] && [ "$(printf '%s\n' "${one##*/base-}" "$limit" | sort | head -n 1)" = "${one##*/base-}" ]; then
    base="$one"
  fi
done
if [ -z "$base" ]; then
  echo "no base backup was complete at ${target:-now}" >&2
  exit 1
fi
former="$PGDATA-before-$(date -u +%Y%m%dT%H%M%SZ)"
if [ -e "$PGDATA" ]; then mv "$PGDATA" "$former"; fi
mkdir -p -m 700 "$PGDATA"
tar -xzf "$base/base.tar.gz" -C "$PGDATA"
# What the former server had not archived yet, if its files are still there.
if [ -d "$former/pg_wal" ]; then
  find "$former/pg_wal" -maxdepth 1 -type f -name '[0-9A-F]*' -exec cp -n {} "$PGDATA/pg_wal/" \;
fi
{
  echo "restore_command = 'cp \"$backups/wal/%f\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  if [ -n "$target" ]; then echo "recovery_target_time = '$target'"; fi
} >> "$PGDATA/postgresql.auto.conf"
touch "$PGDATA/recovery.signal"
echo "$PGDATA is ${base##*/}; the next start replays the log to ${target:-its end}"
