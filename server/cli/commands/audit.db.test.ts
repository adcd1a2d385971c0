// Tests that `audit verify` reports broken rows in its document and in its exit status.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { readChainState } from "@/server/services/audit/chain-state";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { openTamperer } from "@/server/services/audit/testing/tampering";
import { createMerchant } from "@/server/services/merchants/create";
import { documentOf, refusalOf, runCli } from "../testing/run-cli";
import { runCommand } from "../testing/run-command";

/** Each run is a process of its own. */
vi.setConfig({ testTimeout: 60_000 });

let shop: string;
let other: string;
let folder: string;

beforeAll(async () => {
  [shop, other] = [await createMerchant("Shop", ["BRL"]), await createMerchant("Other", ["BRL"])];
  await linkAuditEntries();
  folder = await mkdtemp(join(tmpdir(), "sluice-anchors-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await disconnect();
});

const sound = (id: string) => ({
  merchant_id: id,
  last_sequence: 2,
  last_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  waiting: 0,
  unlinked: 0,
  first_broken: null,
  fault_count: 0,
  fault_digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  faults: [],
});

it("prints the end of every chain and exits 0 while none has changed", async () => {
  const merchants = [shop, other].sort().map(sound);
  expect(documentOf(await runCli(["audit", "verify"]))).toEqual({ broken: 0, merchants });
  expect(documentOf(await runCli(["audit", "verify", "--merchant", other]))).toEqual({
    broken: 0,
    merchants: [sound(other)],
  });
});

it("stores the result for the dashboard", async () => {
  await runCli(["audit", "verify", "--merchant", other]);
  const { lastSequence, check } = await readChainState(other);
  expect([lastSequence, check]).toMatchObject([2n, { lastSequence: 2n, faultCount: 0 }]);
  expect(Math.abs(Date.now() - (check?.checkedAt.getTime() ?? 0))).toBeLessThan(60_000);
});

it("names the first broken row of a merchant and exits 1, with nothing on standard error", async () => {
  const tamperer = await openTamperer();
  await tamperer.tamper(
    [`UPDATE audit_entry SET reason = 'none' WHERE merchant_id = $1 AND action = 'wallet.fund'`],
    shop,
  );
  const { exitStatus, stdout, stderr } = await runCli(["audit", "verify"]);
  await tamperer.restore();
  await tamperer.close();
  expect([exitStatus, stderr]).toEqual([1, ""]);
  const { broken, merchants } = JSON.parse(stdout) as { broken: number; merchants: { merchant_id: string }[] };
  expect(broken).toBe(1);
  expect(merchants.find((one) => one.merchant_id === other)).toEqual(sound(other));
  expect(merchants.find((one) => one.merchant_id === shop)).toMatchObject({
    first_broken: {
      fault: "altered",
      sequence: expect.any(Number) as number,
      entry_id: expect.stringMatching(/^aud_/) as string,
      meaning: expect.stringMatching(/edited, inserted or reordered/) as string,
    },
  });
});

it("compares the chains with an earlier output of its own", async () => {
  const { stdout } = await runCli(["audit", "verify"]);
  const file = join(folder, "anchors.json");
  await writeFile(file, stdout);
  expect(documentOf(await runCli(["audit", "verify", "--anchors", file]))).toMatchObject({ broken: 0 });
  const tamperer = await openTamperer();
  const tables = ["audit_entry", "audit_link", "audit_chain"];
  await tamperer.tamper(
    tables.map((table) => `DELETE FROM ${table} WHERE merchant_id = $1`),
    shop,
  );
  const [blind, seeing] = [await runCli(["audit", "verify"]), await runCli(["audit", "verify", "--anchors", file])];
  await tamperer.restore();
  await tamperer.close();
  // Without anchors, only the deposit shows it, because the entry is gone; with them, the place in the chain does.
  const faults = [blind, seeing].map((finished) => {
    const { merchants } = JSON.parse(finished.stdout) as { merchants: { first_broken: { fault: string } | null }[] };
    return [finished.exitStatus, ...merchants.flatMap(({ first_broken }) => first_broken?.fault ?? [])];
  });
  expect(faults).toEqual([
    [1, "row_unaudited"],
    [1, "link_missing"],
  ]);
});

it("rejects an unknown merchant, and a file that it did not print", async () => {
  const strange = join(folder, "strange.json");
  await writeFile(strange, '{"merchants":[{"merchant_id":"mer_1"}]}');
  const options = [["--merchant", "mer_nobody"], ...[strange, join(folder, "none")].map((file) => ["--anchors", file])];
  const finished = await Promise.all(options.map((words) => runCli(["audit", "verify", ...words])));
  expect(finished.map(refusalOf)).toMatchObject([
    { exitStatus: 1, code: "not_found" },
    { exitStatus: 2, code: "usage" },
    { exitStatus: 2, code: "usage" },
  ]);
});

it("the service's own chain belongs to no merchant, in anchors of earlier releases too", async () => {
  const url = ["--url", "https://9.9.9.9/services/hush"];
  const added = await runCommand("notifications", "add", "--environment", "test", "--channel", "slack", ...url);
  expect(added).toHaveProperty("id");
  await linkAuditEntries();
  const { stdout } = await runCli(["audit", "verify"]);
  const { merchants } = JSON.parse(stdout) as { merchants: { merchant_id: string | null; last_sequence: number }[] };
  expect(merchants.map(({ merchant_id }) => merchant_id).sort()).toEqual([shop, other, null].sort());
  const own = merchants.find(({ merchant_id }) => merchant_id === null);
  for (const name of [null, ""]) {
    const file = join(folder, "own.json");
    await writeFile(file, JSON.stringify({ merchants: [{ ...own, merchant_id: name, last_sequence: 99 }] }));
    const { exitStatus, stdout: compared } = await runCli(["audit", "verify", "--anchors", file]);
    const reports = (JSON.parse(compared) as { merchants: { merchant_id: string | null; fault_count: number }[] })
      .merchants;
    expect([exitStatus, reports.find(({ merchant_id }) => merchant_id === null)?.fault_count]).toEqual([1, 1]);
  }
});
