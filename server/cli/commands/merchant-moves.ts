import { dropCopy } from "@/server/services/moves/drop-copy";
import { listMoves, type MoveRecord } from "@/server/services/moves/list";
import { abortMove, moveMerchant } from "@/server/services/moves/run";
import { type Command, defineCommand, flag, optional, required, UsageError } from "../command";

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

const move = defineCommand({
  name: "merchants move",
  summary: "Move a merchant to another cell while it works; run it again to go on with a move that was interrupted",
  cells: "own",
  options: {
    merchant: required("ID", "the merchant"),
    to: optional("CELL", "the name of the new cell; cells list has them"),
    abort: flag("undo a move that has not switched the merchant yet"),
    experimental: flag("accept the known faults of moves, which decision 82 lists: not for merchants with real money"),
  },
  run: async ({ merchant, to, abort, experimental }) => {
    if (abort === (to !== null)) throw new UsageError("give either --to or --abort");
    if (to === null) {
      const { moveId, cell } = await abortMove(merchant, say);
      return { id: moveId, merchant_id: merchant, phase: "aborted", cell };
    }
    if (!experimental)
      throw new UsageError(
        "a move is not safe yet (docs/decisions/0082): give --experimental, for a merchant without real money",
      );
    const { moveId, from, rows, durationMs, pausedMs } = await moveMerchant(merchant, to, say);
    return {
      id: moveId,
      merchant_id: merchant,
      phase: "done",
      from,
      to,
      rows,
      duration_ms: durationMs,
      paused_ms: pausedMs,
    };
  },
});

const present = (one: MoveRecord) => ({
  id: one.id,
  merchant_id: one.merchantId,
  from: one.fromCell,
  to: one.toCell,
  phase: one.phase,
  phase_since: one.phaseSince,
  rows_copied: Number(one.rowsCopied),
  paused_ms: one.pausedMs,
  started_at: one.startedAt,
  ended_at: one.endedAt,
});

const moves = defineCommand({
  name: "merchants moves",
  summary: "List moves of merchants to other cells with their phase, open ones first",
  cells: "own",
  options: {},
  run: async () => ({ data: (await listMoves()).map(present) }),
});

const drop = defineCommand({
  name: "merchants drop-copy",
  summary: "Remove the rows of a merchant that a restore or a failover has brought back in a cell that it has left",
  cells: "own",
  options: {
    merchant: required("ID", "the merchant"),
    from: required("CELL", "the cell that it has left"),
  },
  run: async ({ merchant, from }) => ({
    merchant_id: merchant,
    removed_from: from,
    cell: await dropCopy(merchant, from),
  }),
});

export const merchantMoves: readonly Command[] = [move, moves, drop];
