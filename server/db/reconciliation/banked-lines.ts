// Which lines bank lines of settlement files have settled: each transfer is for one set of lines.
import type { Settled } from "@/server/domain/reconciliation";
import type { SettlementLine } from "@/server/domain/settlement-line";
import type { Transaction } from "../transaction";
import type { ImportScope } from "./import";

/** The digests of those of the lines that a bank line has settled. */
export async function findBankedWithin(
  transaction: Transaction,
  { provider, environment }: ImportScope,
  lines: readonly SettlementLine[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ readonly digest: string }>(
    "SELECT digest FROM banked_line WHERE provider = $1 AND environment = $2 AND digest = ANY($3::text[])",
    provider,
    environment,
    lines.map(({ digest }) => digest),
  );
  return new Set(rows.map(({ digest }) => digest));
}

/** Stores what bank lines have settled, in the cell that decides on them. */
export async function storeBankedWithin(
  transaction: Transaction,
  { provider, environment }: ImportScope,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return;
  await transaction.query(
    `INSERT INTO banked_line (provider, environment, digest, bank_digest)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[])`,
    provider,
    environment,
    settled.map(({ digest }) => digest),
    settled.map(({ bankDigest }) => bankDigest),
  );
}
