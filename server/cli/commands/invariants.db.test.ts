// Tests that the command reports violations in its document and in its exit status.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { createMerchant } from "@/server/services/merchants/create";
import { documentOf, refusalOf, runCli } from "../testing/run-cli";

/** Each run is a process of its own. */
vi.setConfig({ testTimeout: 60_000 });

interface Document {
  readonly violations: number;
  readonly checked: readonly { name: string; rows: number; populated: boolean; violations: readonly object[] }[];
}

beforeAll(async () => {
  await createMerchant("Shop", ["BRL"]);
});
afterAll(disconnect);

it("prints what was checked and exits 0 while every invariant holds", async () => {
  const document = documentOf(await runCli(["invariants"])) as unknown as Document;
  expect(document.violations).toBe(0);
  expect(document.checked.length).toBeGreaterThan(30);
  expect(document.checked[0]).toEqual({
    name: "ledger_transaction_balances",
    guarantee: expect.stringMatching(/^[A-Z].*\.$/) as string,
    rows: 0,
    populated: true,
    violations: [],
  });
});

it("prints the violating rows and exits 1, with nothing on standard error", async () => {
  await query("UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'suspense' AND environment = 'live'");
  const { exitStatus, stdout, stderr } = await runCli(["invariants"]);
  expect([exitStatus, stderr]).toEqual([1, ""]);
  const document = JSON.parse(stdout) as Document;
  const broken = document.checked.filter(({ rows }) => rows > 0);
  expect(document.violations).toBe(2);
  expect(broken.map(({ name, violations }) => [name, violations])).toEqual([
    ["ledger_book_balances", [{ environment: "live", currency: "BRL", entries_sum: "0", balances_sum: "1" }]],
    [
      "ledger_balance_is_sum_of_entries",
      [expect.objectContaining({ kind: "suspense", balance: "1", entries_sum: "0" })],
    ],
  ]);
});

it("is a command of one word, with help and no options", async () => {
  const help = await runCli(["invariants", "--help"]);
  expect(help.exitStatus).toBe(0);
  expect(help.stdout).toContain("npm run -s cli -- invariants\n");
  expect(refusalOf(await runCli(["invariants", "now"]))).toMatchObject({ exitStatus: 2, code: "usage" });
});
