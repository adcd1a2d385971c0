// Proves that verification finds consistent edits of money, intents and approvals: audited columns cannot be rewritten.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { playVariedRun } from "../invariants/testing/varied-run";
import { linkAuditEntries } from "./link-entries";
import type { RowEdit } from "./testing/edit";
import { plantedEdits, ROW_EDITS } from "./testing/row-edits";
import { COVERED_TABLES, openTamperer, type Tamperer } from "./testing/tampering";
import { verifyAuditChains } from "./verify-chains";

const RUNS = 200;
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let tamperer: Tamperer;

beforeAll(async () => {
  await playVariedRun();
  while ((await linkAuditEntries()).isBehind);
  tamperer = await openTamperer(COVERED_TABLES);
});
afterAll(async () => {
  await tamperer.close();
  await disconnect();
});

/** Returns what verification finds after the edit, then reverts the edit. */
async function found({ statements }: RowEdit, seed: string) {
  await tamperer.tamper(statements, seed);
  try {
    const reports = await verifyAuditChains(null);
    return reports.flatMap(({ broken }) => broken?.fault ?? []);
  } finally {
    await tamperer.restore();
  }
}

const isOfRows = (fault: string) => fault.startsWith("row_");

describe("a history with every status and every movement of money", () => {
  it("matches its audit entries", async () => {
    const reports = await verifyAuditChains(null);
    expect(reports.map(({ broken }) => broken)).toEqual(reports.map(() => null));
  });

  it.each(ROW_EDITS.map((edit) => [edit.name, edit] as const))("shows %s", async (_, edit) => {
    expect((await found(edit, "once")).filter(isOfRows)).not.toEqual([]);
  });

  it(`shows ${RUNS} of ${RUNS} planted consistent edits, and only those`, async () => {
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(plantedEdits, async ({ edit, seed }) => {
        const faults = await found(edit, seed);
        expect([edit.name, seed, faults.some(isOfRows)]).toEqual([edit.name, seed, true]);
        shown += 1;
      }),
      { numRuns: RUNS, seed: 20_261_122, endOnFailure: true },
    );
    expect(shown).toBe(RUNS);
    expect((await verifyAuditChains(null)).flatMap(({ broken }) => broken ?? [])).toEqual([]);
  });
});
