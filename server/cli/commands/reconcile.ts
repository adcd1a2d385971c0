import { basename } from "node:path";
import { formatInstant } from "@/server/contract/instants";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import { type Reconciliation, reconcile as reconcileFile } from "@/server/services/reconciliation/reconcile";
import { readChoice } from "../choice-option";
import { defineCommand, optional, required } from "../command";
import { readFileOption } from "../file-option";
import { readOptionalInstant } from "../instant-option";

/** Limits the printed lines and movements. All are counted, stored and have an exception. */
const SHOWN = 1_000;

function counts({ lines, unsettled }: Reconciliation): Readonly<Record<string, number>> {
  const counted: Record<string, number> = { lines: lines.length };
  for (const one of LINE_VERDICTS) counted[one] = lines.filter(({ verdict }) => verdict === one).length;
  return { ...counted, missing_external: unsettled.length };
}

/** What a person must check: lines that do not match, then movements in the ledger that no line settles. */
function toCheck({ lines, unsettled }: Reconciliation) {
  const ofLines = lines
    .filter(({ why }) => why !== null)
    .map(({ line, verdict, why, merchantId }) => ({
      verdict,
      why,
      line: line.row,
      line_id: line.lineId,
      kind: line.kind,
      reference: line.reference,
      merchant_id: merchantId,
      amount: line.amount.toString(),
      currency: line.currency,
    }));
  const ofMovements = unsettled.map((movement) => ({
    verdict: "missing_external",
    why: "no line of any file settles it",
    reference: movement.intentId,
    merchant_id: movement.merchantId,
    amount: movement.amount.toString(),
    currency: movement.currency,
    booked_at: formatInstant(movement.bookedAt),
  }));
  return [...ofLines, ...ofMovements];
}

export const reconcile = defineCommand({
  name: "reconcile",
  summary: "Reconcile a provider's settlement file with the ledger; exits 1 if a person must review a line",
  cells: "own",
  options: {
    provider: required("NAME", "the provider that sent the file"),
    file: required("PATH", "the settlement file as CSV; see docs/reconciliation.md"),
    environment: optional("test|live", "live if omitted"),
    from: optional("TIME", "start of the period; if omitted, the end of the previous file, or else the first line"),
    to: optional("TIME", "end of the period, excluded; if omitted, just after the last line"),
  },
  run: async ({ provider, file, environment: given, from, to }) => {
    const environment = readChoice("environment", ENVIRONMENTS, given ?? "live");
    const bytes = await readFileOption("file", file);
    const bounds = { from: readOptionalInstant("from", from), to: readOptionalInstant("to", to) };
    const done = await reconcileFile({ provider, environment, name: basename(file), bytes, ...bounds });
    const check = toCheck(done);
    return {
      provider,
      environment,
      file: { id: done.file.id, name: basename(file), imported_before: done.isKnown },
      from: formatInstant(done.file.from),
      to: formatInstant(done.file.to),
      counts: counts(done),
      fees_booked: done.feesBooked,
      lines_banked: done.linesBanked,
      exceptions: { opened: done.exceptionsOpened, resolved: done.exceptionsResolved },
      needs_look: check.length,
      look: check.slice(0, SHOWN),
      ...(done.elsewhere.length > 0 && { files_elsewhere: done.elsewhere }),
      ...(done.failedCells.length > 0 && { failed_cells: done.failedCells }),
    };
  },
  succeeded: (document) => "needs_look" in document && document.needs_look === 0 && !("failed_cells" in document),
});
