import { z } from "zod";
import type { ChainEnd } from "@/server/domain/audit-chain";
import { NOBODY } from "@/server/domain/exceptions";
import { currentCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { storeReports } from "@/server/services/audit/chain-state";
import { type ChainFault, FAULTS } from "@/server/services/audit/faults";
import { type MerchantReport, verifyAuditChains } from "@/server/services/audit/verify-chains";
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

/** What the report says of the running work's cell. A report without parts has the chains of merchants, and the first cell's own. */
function anchorsIn(report: unknown): z.infer<typeof earlierReport>["merchants"] {
  const { name } = currentCell();
  const parts = reportOfCells.safeParse(report);
  if (parts.success) return parts.data.cells.filter(({ cell }) => cell === name).flatMap(({ merchants }) => merchants);
  return earlierReport.parse(report).merchants.filter((one) => cellOfId(one.merchant_id ?? "").name === name);
}

async function readAnchors(file: string): Promise<Map<string, ChainEnd>> {
  const bytes = await readFileOption("anchors", file);
  try {
    const merchants = anchorsIn(JSON.parse(bytes.toString()));
    return new Map(
      merchants.map((one) => [one.merchant_id ?? NOBODY, { sequence: BigInt(one.last_sequence), hash: one.last_hash }]),
    );
  } catch {
    throw new UsageError(`--anchors: ${file} must contain an earlier output of this command`);
  }
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
    const reports = await verifyAuditChains(merchant, anchors === null ? new Map() : await readAnchors(anchors));
    await storeReports(reports);
    return { broken: reports.filter(({ broken }) => broken !== null).length, merchants: reports.map(present) };
  },
  succeeded: (document) => "broken" in document && document.broken === 0,
});
