import { listCells, readCellStatus } from "@/server/services/cells/status";
import { type Command, defineCommand } from "../command";

const list = defineCommand({
  name: "cells list",
  summary: "List the configured databases of merchants, and the tags in their keys and ids; asks none of them",
  cells: "own",
  options: {},
  run: async () => ({ data: listCells().map(({ name, tag, database }) => ({ name, tag: tag || null, database })) }),
});

const status = defineCommand({
  name: "cells status",
  summary:
    "Show whether each cell answers and is migrated, its merchants, size and overdue work; exits 1 unless all can be used",
  cells: "own",
  options: {},
  run: async () => {
    const all = await readCellStatus();
    return {
      data: all.map(({ name, figures, overdue, openExceptions, why }) => ({
        name,
        is_usable: figures?.isMigrated ?? false,
        why_not: why,
        ...(figures && {
          is_migrated: figures.isMigrated,
          merchants: figures.merchants,
          size_bytes: figures.sizeBytes.toString(),
          overdue: overdue.map(({ work, count, seconds }) => ({ work, count, oldest_seconds: Math.round(seconds) })),
          open_exceptions: openExceptions,
        }),
      })),
    };
  },
  succeeded: (document) =>
    "data" in document && (document.data as { is_usable: boolean }[]).every(({ is_usable }) => is_usable),
});

export const cells: readonly Command[] = [list, status];
