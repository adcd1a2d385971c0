import { z } from "zod";
import type { ChainEnd } from "@/server/domain/audit-chain";
import { type ChainFault, FAULTS } from "@/server/services/audit/faults";
import { type MerchantReport, verifyAuditChains } from "@/server/services/audit/verify-chains";
import { defineCommand, optional, UsageError } from "../command";
import { readFileOption } from "../file-option";

/** The part of an earlier report that a later one is compared with. */
const earlierReport = z.object({
  merchants: z.array(
    z.object({
      merchant_id: z.string(),
      last_sequence: z.number().int().nonnegative(),
      last_hash: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

async function readAnchors(file: string): Promise<Map<string, ChainEnd>> {
  const bytes = await readFileOption("anchors", file);
  try {
    const { merchants } = earlierReport.parse(JSON.parse(bytes.toString()));
    return new Map(
      merchants.map((one) => [one.merchant_id, { sequence: BigInt(one.last_sequence), hash: one.last_hash }]),
    );
  } catch {
    throw new UsageError(`--anchors: ${file} does not hold what this command printed`);
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
    merchant_id: merchantId,
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
    "Recompute the audit log's hash chains and hold the rows they cover against them; exits 1 and lists the faults of each merchant",
  options: {
    merchant: optional("ID", "the merchant; every one where left out"),
    anchors: optional("FILE", "an earlier output of this command, which the chains must still contain"),
  },
  run: async ({ merchant, anchors }) => {
    const reports = await verifyAuditChains(merchant, anchors === null ? new Map() : await readAnchors(anchors));
    return { broken: reports.filter(({ broken }) => broken !== null).length, merchants: reports.map(present) };
  },
  succeeded: (document) => "broken" in document && document.broken === 0,
});
