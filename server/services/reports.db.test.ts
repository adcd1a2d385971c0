// Reports on a real streaming replica: they say how far it is behind, and nothing else reads it.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type PostgresServer, type Replica, startPostgres } from "@/e2e/support/postgres/server";
import { freePort } from "@/e2e/support/service";
import { findApiKeyAcrossMerchants } from "@/server/db/api-keys";
import { disconnect, query } from "@/server/db/client";
import { isDatabaseOutage } from "@/server/db/failures";
import { migrate } from "@/server/db/migrate";
import { checkReportDatabase, readReportAge } from "@/server/db/report-age";
import { provideRuntime } from "@/server/platform/env";
import { withinMerchant } from "@/server/platform/reach";
import { asReport } from "@/server/platform/report-scope";
import { balanceOf, makeMember, makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { readFigures } from "./figures/read";
import { withoutIdempotency } from "./idempotency/completion";
import { getIntent, listIntents } from "./intents/read";
import { checkInvariants } from "./invariants/check";
import { addCurrency } from "./merchants/currencies";
import { merchantSettings } from "./merchants/settings";
import { createPayoutIntent } from "./payouts/create";
import { PAYOUTS } from "./payouts/kind";
import { findMemberSession } from "./sign-in/sessions";
import { enterAs } from "./sign-in/testing/sessions";
import { listAccountLines } from "./statements/account-lines";
import { walletStatement } from "./statements/statement";
import { fundWallet } from "./wallets";

const main = process.env.DATABASE_URL ?? "";

let folder: string;
let server: PostgresServer;
let replica: Replica;
let merchant: TestMerchant;

async function reportsAt(url: string | null): Promise<void> {
  await disconnect();
  if (url === null) delete process.env.REPORT_DATABASE_URL;
  else process.env.REPORT_DATABASE_URL = url;
  provideRuntime({ databaseUrl: server.url });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-replica-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  server = await startPostgres(join(folder, "server"), await freePort());
  await migrate(server.url);
  replica = await server.replicate(await freePort());
  await reportsAt(null);
  merchant = await makeMerchant();
});
beforeEach(async () => {
  await reportsAt(replica.url);
  await replica.resume();
  await replica.caughtUp();
});
afterAll(async () => {
  await disconnect();
  delete process.env.REPORT_DATABASE_URL;
  provideRuntime({ databaseUrl: main });
  await replica.stop();
  await server.stop("fast");
  rmSync(folder, { recursive: true, force: true });
});

const ACCOUNT = () => ({ scope: merchant.scope, currency: "BRL", account: "available" }) as const;
const EVER = () => ({ scope: merchant.scope, currency: "BRL", from: new Date(0), to: new Date("2999-01-01") });
const fund = () => fundWallet(merchant.context, { currency: "BRL", amount: 7n });
const lines = () => listAccountLines(ACCOUNT(), null, 100);
const timeOfDatabase = async () => (await query<{ at: Date }>("SELECT clock_timestamp() AS at"))[0]?.at ?? new Date(0);

it("without a replica, reports are up to date and say so", async () => {
  await reportsAt(null);
  await fund();
  const found = [await lines(), await walletStatement(EVER()), await readFigures(merchant.scope, { days: 7 }, "UTC")];
  expect(found.map(({ asOf }) => asOf)).toEqual([null, null, null]);
  expect(await checkInvariants()).toMatchObject({ violations: 0, as_of: null });
});

it("a replica that has everything is as of the report's beginning, also while nothing is written", async () => {
  await fund();
  await replica.caughtUp();
  const before = await timeOfDatabase();
  expect((await lines()).lines[0]?.amount).toBe(7n);
  const reports = [lines, () => walletStatement(EVER()), () => readFigures(merchant.scope, { days: 7 }, "UTC")];
  // Postgres itself writes at times what the replica receives a moment later.
  for (const report of reports)
    await expect.poll(async () => (await report()).asOf?.getTime()).toBeGreaterThanOrEqual(before.getTime());
  await expect
    .poll(async () => Date.parse((await checkInvariants()).as_of ?? ""))
    .toBeGreaterThanOrEqual(before.getTime());
  expect(await checkInvariants()).toMatchObject({ violations: 0 });
});

it("a replica that is behind shows less, and says since when; everything else is up to date", async () => {
  const memberId = await makeMember(merchant.merchantId, "late@shop.example", "finance");
  await fund();
  await replica.caughtUp();
  const known = await lines();
  await replica.pause();
  const before = await timeOfDatabase();
  await fund();
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  const sessionId = await enterAs({ id: memberId, merchantId: merchant.merchantId }, "192.0.2.1");

  const behind = await lines();
  expect(behind.lines).toEqual(known.lines);
  expect(behind.asOf?.getTime()).toBeLessThanOrEqual(before.getTime());
  const statement = await walletStatement(EVER());
  expect(statement.lines).toHaveLength(known.lines.length);
  expect(statement.asOf).toEqual(behind.asOf);
  expect((await readFigures(merchant.scope, { days: 7 }, "UTC")).asOf).toEqual(behind.asOf);

  expect((await balanceOf(merchant))[1]).toBe(intent.amount);
  expect(await getIntent(PAYOUTS, merchant.scope, intent.id)).toMatchObject({ id: intent.id });
  expect((await listIntents(PAYOUTS, merchant.scope, {}, null, 10)).rows.map(({ id }) => id)).toContain(intent.id);
  expect(
    await findMemberSession({ merchantId: merchant.merchantId, sessionId }, { isBackground: true }),
  ).not.toBeNull();
});

it("a replica that lacks a merchant's arrival from another cell fails the reports of that merchant, and no others", async () => {
  const other = await makeMerchant();
  await replica.caughtUp();
  await replica.pause();
  const owner = new Client({ connectionString: server.url });
  await owner.connect();
  await owner.query("INSERT INTO merchant_stay (merchant, number, from_cell) VALUES ($1, 1, 'eu2')", [
    other.merchantId,
  ]);
  await owner.end();
  const theirs = () =>
    withinMerchant(other.merchantId, () => listAccountLines({ ...ACCOUNT(), scope: other.scope }, null, 100));
  await expect(theirs()).rejects.toSatisfy(isDatabaseOutage);
  await withinMerchant(merchant.merchantId, lines);
  await replica.resume();
  await replica.caughtUp();
  expect((await theirs()).asOf).not.toBeNull();
});

it("a report leaves nothing from the replica in caches that requests use", async () => {
  await replica.pause();
  await addCurrency(merchant.merchantId, "MXN");
  await expect
    .poll(async () => (await asReport(() => merchantSettings(merchant.merchantId))).currencies)
    .toContain("MXN");
});

it("row-level security and read-only sessions apply on the replica", async () => {
  const other = await makeMerchant();
  await replica.caughtUp();
  const ids = () => query<{ id: string }>("SELECT id FROM merchant");
  const seen = await withinMerchant(other.merchantId, () => asReport(ids));
  expect(seen).toEqual([{ id: other.merchantId }]);
  const write = asReport(() => query("UPDATE merchant SET name = name"));
  await expect(write).rejects.toMatchObject({ code: "25006" });
});

it("a replica that does not answer fails reports as an outage, and nothing else", async () => {
  await reportsAt("postgres://nobody@127.0.0.1:1/sluice");
  for (const report of [lines, () => walletStatement(EVER()), checkInvariants, readReportAge]) {
    const error = await report().then(
      () => null,
      (failed: unknown) => failed,
    );
    expect(isDatabaseOutage(error)).toBe(true);
  }
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  expect((await listIntents(PAYOUTS, merchant.scope, {}, null, 10)).rows.map(({ id }) => id)).toContain(intent.id);
  expect((await balanceOf(merchant))[1]).toBeGreaterThan(0n);
  expect(await findApiKeyAcrossMerchants("pk_test_unknown")).toBeNull();
});

it("only a replica of the same database may serve reports, or the database itself", async () => {
  await expect(checkReportDatabase()).resolves.toBeUndefined();
  await reportsAt(server.url);
  await expect(checkReportDatabase()).resolves.toBeUndefined();
  await reportsAt(main);
  await expect(checkReportDatabase()).rejects.toThrow("must lead to a streaming replica of DATABASE_URL");
});

it("a replica that has become a database of its own serves no reports", async () => {
  await replica.promote();
  await fund();
  await expect.poll(() => lines().catch((error: Error) => error.message)).toContain("it is a database of its own");
});
