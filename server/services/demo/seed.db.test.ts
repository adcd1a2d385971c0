import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
import { requireInvariants } from "@/server/testing/invariants";
import { authenticate } from "../api-keys/authenticate";
import { SCENARIOS, type ScenarioName } from "./scenarios";
import { seedDemoOnFirstStart, seedOnDemand } from "./seed";

const BASE_URL = "http://localhost:3456";

let dataDir: string;
let firstDemo: Record<string, string>;
let seeded: { envFile: string } | null;

async function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), "sluice-demo-"));
}

async function readDemo(folder: string, scenario: ScenarioName = "demo"): Promise<Record<string, string>> {
  const text = await readFile(join(folder, `${scenario}.env`), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => line.replace(/^export /, "").split("=", 2) as [string, string]));
}

async function countMerchants(): Promise<number> {
  const [row] = await query<{ count: number }>("SELECT count(*)::int AS count FROM merchant");
  return row?.count ?? 0;
}

beforeAll(async () => {
  dataDir = await makeDataDir();
  seeded = await seedDemoOnFirstStart({ dataDir, baseUrl: BASE_URL });
  firstDemo = await readDemo(dataDir);
});

afterAll(async () => {
  await disconnect();
  await rm(dataDir, { recursive: true });
});

it.each([
  ["payment_intent", PAYMENT_STATUSES],
  ["payout_intent", PAYOUT_STATUSES],
  ["topup_intent", TOPUP_STATUSES],
])("the demo shows %s in every status", async (table, statuses) => {
  const rows = await query<{ status: string }>(
    `SELECT DISTINCT status FROM ${table} WHERE merchant_id = $1`,
    firstDemo.SLUICE_MERCHANT_ID,
  );
  expect(rows.map(({ status }) => status).sort()).toEqual([...statuses].sort());
});

it("every balance is the sum of its entries, and every transaction is balanced", async () => {
  const [entries] = await query<{ count: number }>("SELECT count(*)::int AS count FROM ledger_entry");
  expect(entries?.count).toBeGreaterThan(50);
  const wrongBalances = await query(
    `SELECT a.* FROM ledger_account a LEFT JOIN ledger_entry e USING (merchant_id, environment, currency, kind)
     GROUP BY a.merchant_id, a.environment, a.currency, a.kind HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  );
  const unbalanced = await query(
    `SELECT transaction_id, currency FROM ledger_entry GROUP BY 1, 2 HAVING sum(amount) <> 0`,
  );
  expect({ wrongBalances, unbalanced }).toEqual({ wrongBalances: [], unbalanced: [] });
});

it("holds equal the payouts that await approval or settlement, per currency", async () => {
  const rows = await query<{ currency: string; held: string; waiting: string }>(
    `SELECT a.currency, a.balance::text AS held, coalesce(sum(p.amount), 0)::text AS waiting
     FROM ledger_account a
     LEFT JOIN payout_intent p ON p.merchant_id = a.merchant_id AND p.environment = a.environment
       AND p.currency = a.currency AND p.status IN ('requires_approval', 'processing')
     WHERE a.merchant_id = $1 AND a.kind = 'held' AND a.environment = 'test' GROUP BY a.currency, a.balance`,
    firstDemo.SLUICE_MERCHANT_ID,
  );
  expect(rows.some(({ held }) => held !== "0")).toBe(true);
  for (const { held, waiting } of rows) expect(held).toBe(waiting);
});

it("the approver, who made none of them, approved each payout that left the gate", async () => {
  const [counts] = await query<{ approved: number; byApprover: number; madeByPeople: number }>(
    `SELECT count(*) FILTER (WHERE p.status IN ('processing', 'succeeded', 'failed'))::int AS approved,
            count(a.member_id) FILTER (WHERE m.email = $2)::int AS "byApprover",
            count(*) FILTER (WHERE p.created_by_type <> 'api_key')::int AS "madeByPeople"
     FROM payout_intent p
     LEFT JOIN approval a ON a.merchant_id = p.merchant_id AND a.payout_id = p.id
     LEFT JOIN member m ON m.merchant_id = a.merchant_id AND m.id = a.member_id
     WHERE p.merchant_id = $1`,
    firstDemo.SLUICE_MERCHANT_ID,
    firstDemo.SLUICE_APPROVER_EMAIL,
  );
  expect(counts?.approved).toBeGreaterThan(0);
  expect(counts).toEqual({ approved: counts?.approved, byApprover: counts?.approved, madeByPeople: 0 });
});

it("the file contains working credentials, readable only by its owner", async () => {
  expect(seeded).toEqual({ envFile: join(dataDir, "demo.env") });
  const { mode } = await stat(join(dataDir, "demo.env"));
  expect((mode & 0o777).toString(8)).toBe("600");
  expect(Object.keys(firstDemo)).toEqual([
    "SLUICE_BASE_URL",
    "SLUICE_MERCHANT_ID",
    "SLUICE_PUBLIC_KEY",
    "SLUICE_SECRET_KEY",
    "SLUICE_OWNER_EMAIL",
    "SLUICE_OWNER_PASSWORD",
    "SLUICE_FINANCE_EMAIL",
    "SLUICE_FINANCE_PASSWORD",
    "SLUICE_APPROVER_EMAIL",
    "SLUICE_APPROVER_PASSWORD",
  ]);
  expect(firstDemo.SLUICE_BASE_URL).toBe(BASE_URL);
  const { SLUICE_PUBLIC_KEY: publicKey = "", SLUICE_SECRET_KEY: secretKey = "" } = firstDemo;
  const { scope } = await authenticate({ publicKey, secretKey });
  expect(scope).toEqual({ merchantId: firstDemo.SLUICE_MERCHANT_ID, environment: "test" });
});

it("a second start does nothing", async () => {
  expect(await seedDemoOnFirstStart({ dataDir, baseUrl: BASE_URL })).toBeNull();
  expect(await readDemo(dataDir)).toEqual(firstDemo);
  expect(await countMerchants()).toBe(1);
});

it("a database with merchants gets no demo, even with an empty data folder", async () => {
  const empty = await makeDataDir();
  expect(await seedDemoOnFirstStart({ dataDir: empty, baseUrl: BASE_URL })).toBeNull();
  expect(await countMerchants()).toBe(1);
  await rm(empty, { recursive: true });
});

it("an interrupted demo is created again, with addresses that belong to one person each", async () => {
  const folder = await makeDataDir();
  await writeFile(join(folder, "demo.begun"), "");
  expect(await seedDemoOnFirstStart({ dataDir: folder, baseUrl: BASE_URL })).not.toBeNull();
  const demo = await readDemo(folder);
  expect(demo.SLUICE_MERCHANT_ID).not.toBe(firstDemo.SLUICE_MERCHANT_ID);
  expect(demo.SLUICE_APPROVER_EMAIL).not.toBe(firstDemo.SLUICE_APPROVER_EMAIL);
  expect(await seedDemoOnFirstStart({ dataDir: folder, baseUrl: BASE_URL })).toBeNull();
  await rm(folder, { recursive: true });
});

it("a demo on demand is created in a database with merchants, once per credentials file", async () => {
  const folder = await makeDataDir();
  const before = await countMerchants();
  const place = { dataDir: folder, baseUrl: BASE_URL };
  expect(await seedOnDemand("demo", place)).toMatchObject({ created: true });
  expect(await seedOnDemand("demo", place)).toMatchObject({ created: false });
  await writeFile(join(folder, "demo.env"), "SLUICE_MERCHANT_ID=mer_of_another_database\n");
  expect(await seedOnDemand("demo", place)).toMatchObject({ created: true });
  expect(await countMerchants()).toBe(before + 2);
  await rm(folder, { recursive: true });
});

/** Kinds that a scenario opens; the others may open any or none. */
const KINDS: Readonly<Partial<Record<ScenarioName, readonly string[]>>> = { exceptions: ["bank_return", "late_money"] };

it.each(Object.keys(SCENARIOS) as ScenarioName[])(
  "scenario %s creates its intents and keeps every invariant",
  async (name) => {
    const folder = await makeDataDir();
    const { created } = await seedOnDemand(name, { dataDir: folder, baseUrl: BASE_URL });
    const { SLUICE_MERCHANT_ID: merchantId } = await readDemo(folder, name);
    const [counts] = await query<{ payments: number; payouts: number; topups: number; exceptions: string[] }>(
      `SELECT (SELECT count(*)::int FROM payment_intent WHERE merchant_id = $1) AS payments,
            (SELECT count(*)::int FROM payout_intent WHERE merchant_id = $1) AS payouts,
            (SELECT count(*)::int FROM topup_intent WHERE merchant_id = $1) AS topups,
            (SELECT coalesce(array_agg(DISTINCT kind ORDER BY kind), '{}') FROM exception WHERE merchant_id = $1) AS exceptions`,
      merchantId,
    );
    const { payments, payouts, topups } = SCENARIOS[name];
    expect({ created, ...counts }).toMatchObject({
      created: true,
      payments: payments.length,
      payouts: payouts.length,
      topups: topups.length,
    });
    expect(counts?.exceptions).toEqual(expect.arrayContaining([...(KINDS[name] ?? [])]));
    await requireInvariants();
    await rm(folder, { recursive: true });
  },
);
