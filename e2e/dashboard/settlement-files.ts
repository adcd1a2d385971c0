// Settlement files of a provider, imported by the operator as a merchant's finance staff would see them.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paymentBody } from "../rest/bodies";
import { openDatabase, referenceOf } from "../rest/database";
import type { Api } from "../support/api";
import { cli } from "../support/cli";
import type { ServiceAddress } from "../support/service";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
/** Long ago, so that today's movements of other specs are not reported as missing in the file. */
const [FROM, UNTIL] = ["2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"];

/** Creates a payment and lets the customer pay it; returns its id. */
export async function createPaid(api: Api): Promise<string> {
  const { id } = (await api.post("/payment_intents", paymentBody())).body as { id: string };
  await api.post("/sandbox/simulate", { id, outcome: "succeeded" });
  return id;
}

/** A file of the sandbox with one line per payment id, of that amount in minor units, settled at that time. */
export async function settlementText(
  service: ServiceAddress,
  amounts: Readonly<Record<string, string>>,
  settledAt: string,
): Promise<string> {
  const database = await openDatabase(service.dataDir);
  const lines = [HEADER];
  for (const [id, amount] of Object.entries(amounts))
    lines.push(`${id},payment,${await referenceOf(database, id)},px,${amount},BRL,12,${settledAt}`);
  await database.close();
  return [...lines, ""].join("\n");
}

/**
 * Imports a file of the sandbox with one line per payment id, of that amount in minor units. Rejects, like the command, if a
 * person must review a line; the file is imported all the same.
 */
export async function importSettlementFile(
  service: ServiceAddress,
  amounts: Readonly<Record<string, string>>,
  name = `${randomUUID()}.csv`,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-settlement-"));
  try {
    const file = join(folder, name);
    writeFileSync(file, await settlementText(service, amounts, FROM));
    const words = ["--provider", "sandbox", "--environment", "test", "--file", file, "--from", FROM, "--to", UNTIL];
    return (await cli<{ file: { id: string } }>(service, "reconcile", ...words)).file.id;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
