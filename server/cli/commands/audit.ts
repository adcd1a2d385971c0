import { z } from "zod";
import type { ChainEnd } from "@/server/domain/audit-chain";
import { NOBODY } from "@/server/domain/exceptions";
import { currentCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { storeReports } from "@/server/services/audit/chain-state";
import { type ChainFault, FAULTS } from "@/server/services/audit/faults";
import { type MerchantReport, verifyAuditChains } from "@/server/services/audit/verify-chains";
import { whoIsHere } from "@/server/services/cells/moved";
import { defineCommand, optional, UsageError } from "../command";
import { readFileOption } from "../file-option";

/** The part of an earlier report that a later one is compared with. */
const earlierReport = z.object({
  merchants: z.array(
    z.object({
      /** Null for the service's own chain, which earlier outputs call "". */
      merchant_id: z.string().nullable(),
      last_sequence: z.number().int().nonnegative(),
      last_hash: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

/** With several cells, a report about all merchants has a part for each cell. */
const reportOfCells = z.object({ cells: z.array(earlierReport.extend({ cell: z.string() })) });

type Anchor = z.infer<typeof earlierReport>["merchants"][number];

/** The anchors of a report, each with the cell that its chain was in. A report without parts has chains of merchants, and the first cell's own. */
function anchorsOf(report: unknown): (Anchor & { readonly cell: string })[] {
  const parts = reportOfCells.safeParse(report);
  if (parts.success)
    return parts.data.cells.flatMap(({ cell, merchants }) => merchants.map((one) => ({ ...one, cell })));
  return earlierReport.parse(report).merchants.map((one) => ({ ...one, cell: cellOfId(one.merchant_id ?? "").name }));
}

function parseAnchors(file: string, text: string): ReturnType<typeof anchorsOf> {
  try {
    return anchorsOf(JSON.parse(text));
  } catch {
    throw new UsageError(`--anchors: ${file} must contain an earlier output of this command`);
  }
}

/**
 * The anchors of chains that are in the running work's cell now: a merchant may have moved since, and its chain with it. With a
 * merchant, its own alone: the command runs in the cell that has it, so no other one is asked.
 */
async function readAnchors(file: string, merchant: string | null): Promise<Map<string, ChainEnd>> {
  const bytes = await readFileOption("anchors", file);
  const isHere = whoIsHere();
  const { name } = currentCell();
  const isOurs = async (cell: string, id: string | null) => {
    if (merchant !== null) return id === merchant;
    return id === null ? cell === name : isHere(cell, id);
  };
  const anchors = new Map<string, ChainEnd>();
  for (const { merchant_id, cell, last_sequence, last_hash } of parseAnchors(file, bytes.toString())) {
    if (!(await isOurs(cell, merchant_id))) continue;
    anchors.set(merchant_id ?? NOBODY, { sequence: BigInt(last_sequence), hash: last_hash });
  }
  return anchors;
}

function presentFault({ fault, sequence, entryId, object }: ChainFault) {
  return {
    fault,
    sequence: sequence === null ? null : Number(sequence),
    entry_id: entryId,
    object,
    meaning: FAULTS[fault],
  };
}

function present({ merchantId, end, waiting, unlinked, faults, broken }: MerchantReport) {
  return {
    merchant_id: merchantId === NOBODY ? null : merchantId,
    last_sequence: Number(end.sequence),
    last_hash: end.hash,
    waiting,
    unlinked,
    first_broken: broken && presentFault(broken),
    fault_count: faults.count,
    fault_digest: faults.digest,
    faults: faults.shown.map(presentFault),
  };
}

export const audit = defineCommand({
  name: "audit verify",
  summary:
    "Recompute the audit log's hash chains and compare the rows they cover; exits 1 and lists each merchant's faults",
  cells: "merchant or every",
  options: {
    merchant: optional("ID", "the merchant; all merchants if omitted"),
    anchors: optional("FILE", "an earlier output of this command, whose hashes the chains must still contain"),
  },
  run: async ({ merchant, anchors }) => {
    const reports = await verifyAuditChains(
      merchant,
      anchors === null ? new Map() : await readAnchors(anchors, merchant),
    );
    await storeReports(reports);
    return { broken: reports.filter(({ broken }) => broken !== null).length, merchants: reports.map(present) };
  },
  succeeded: (document) => "broken" in document && document.broken === 0,
});
