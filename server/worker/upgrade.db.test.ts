// Proves that migrating a database of v0.1.0 loses nothing and that its intents continue.
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRecording, type RecordedAnswer, type RecordedCreation, readRecording } from "@/e2e/upgrade/recording";
import { asMember } from "@/server/cli/acting-as";
import { disconnect, query } from "@/server/db/client";
import { migrate } from "@/server/db/migrate";
import { handleApiRequest } from "@/server/http/handler";
import { env, provideRuntime } from "@/server/platform/env";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { verifyAuditChains } from "@/server/services/audit/verify-chains";
import { prepareDispatch, showDispatch } from "@/server/services/dispatch/control";
import { prepareReferences, showReferences } from "@/server/services/dispatch-references/prepare";
import { checkInvariants } from "@/server/services/invariants/check";
import { namedOperator } from "@/server/services/merchants/operator";
import { confirmResolution } from "@/server/services/resolutions/confirm";
import { proposeResolution } from "@/server/services/resolutions/propose";
import { addressOf, createDatabase, dropDatabase } from "@/server/testing/databases";
import { type RecordedProviders, startRecordedProviders } from "./testing/recorded-providers";
import {
  approve,
  bookedFor,
  FINANCE,
  find,
  type Intent,
  moveToPresent,
  openExceptions,
  settleMoney,
  work,
} from "./testing/upgraded-database";

const recording = readRecording(fileURLToPath(new URL("../../e2e/upgrade/v0.1.0.gz", import.meta.url)));
const server = addressOf(env().databaseUrl ?? "", "postgres");

/** Balances by merchant, environment, currency and account; clearing accounts of all providers as one. */
const BALANCES = `
  SELECT merchant_id || ' ' || environment || ' ' || currency || ' ' || split_part(kind, ':', 1) AS account,
         sum(balance)::text AS balance
  FROM ledger_account GROUP BY 1 HAVING sum(balance) <> 0 ORDER BY 1`;

let database: string;
let balances: unknown;
let applied: string[];

async function run(sql: string, ...values: unknown[]): Promise<unknown[]> {
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as unknown[];
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  database = await createDatabase(server, `upgrade_${randomBytes(6).toString("hex")}`, "template0");
  await loadRecording(database, recording);
  balances = await run(BALANCES);
  process.env.SLUICE_SECRETS = recording.secrets;
  provideRuntime({ databaseUrl: database, referenceKey: randomBytes(32) });
  ({ applied } = await migrate(database));
  await prepareReferences();
  await prepareDispatch();
});
afterAll(async () => {
  await disconnect();
  await dropDatabase(server, database);
});

async function call({ authorization, path, ...more }: RecordedAnswer & Partial<RecordedCreation>): Promise<unknown> {
  const { key, request = "" } = more;
  const typed = key ? { "idempotency-key": key, "content-type": "application/json" } : {};
  const { status, body } = await handleApiRequest({
    method: key ? "POST" : "GET",
    target: `/v1${path}`,
    headers: new Headers({ authorization, ...typed }),
    peer: { address: "127.0.0.1", duplicateHeaders: [] },
    readBody: async () => Buffer.from(request),
  });
  return { status, body: JSON.parse(body ?? "null") as unknown };
}

interface TopupAction {
  readonly object: string;
  readonly next_action: object | null;
}

/**
 * Converts an answer of the release to today's: a finished top-up keeps its payment instructions, with nothing left to
 * pay.
 */
function withInstructions(recorded: unknown, { next_action }: TopupAction): unknown {
  if ((recorded as TopupAction).object !== "topup_intent" || (recorded as TopupAction).next_action) return recorded;
  return { ...(recorded as object), next_action: next_action && { ...next_action, amount: "0" } };
}

async function expectWholeAuditLog(): Promise<void> {
  const reports = await verifyAuditChains(null);
  expect(reports.map(({ broken, unlinked }) => [broken, unlinked])).toEqual(reports.map(() => [null, 0]));
}

async function expectNoViolation(): Promise<void> {
  const { checked } = await checkInvariants();
  expect(checked.filter(({ rows }) => rows > 0)).toEqual([]);
}

describe("after the migrations", () => {
  it("the migrations since the release were applied", () => {
    expect(applied[0]).toBe("20261122090000_exception_kinds");
  });

  it("the recording has intents of every status", async () => {
    const rows = await query<{ kind: string; statuses: string[] }>(`
      SELECT left(id, 4) AS kind, array_agg(DISTINCT status ORDER BY status) AS statuses FROM (
        SELECT id, status FROM payment_intent UNION ALL SELECT id, status FROM payout_intent
        UNION ALL SELECT id, status FROM topup_intent) i GROUP BY 1 ORDER BY 1`);
    expect(rows).toEqual([
      { kind: "dord", statuses: ["expired", "failed", "processing", "requires_action", "succeeded"] },
      { kind: "tuin", statuses: ["expired", "failed", "processing", "requires_payment", "succeeded"] },
      { kind: "word", statuses: ["cancelled", "failed", "processing", "requires_approval", "succeeded"] },
    ]);
  });

  it("every balance is unchanged", async () => {
    expect(await run(BALANCES)).toEqual(balances);
  });

  it("dispatch runs, and references still equal the ids", async () => {
    expect(await showDispatch()).toMatchObject({ isOn: true, isRestored: false, open: [] });
    expect((await showReferences()).referenceKeyId).toBeNull();
    expect(await query("SELECT 1 AS one FROM payout_intent WHERE dispatch_reference IS NOT NULL")).toEqual([]);
  });

  it("every API key works, and every read answers as before", async () => {
    for (const recorded of recording.answers) {
      const now = (await call(recorded)) as { readonly body: TopupAction };
      const expected = { status: 200, body: withInstructions(recorded.body, now.body) };
      expect([recorded.path, now]).toEqual([recorded.path, expected]);
    }
  });
});

describe("intents in progress continue", () => {
  let providers: RecordedProviders;
  let wrongPayment: Intent;
  let wrongPayout: Intent;
  let bookedBefore: readonly object[];

  beforeAll(async () => {
    await moveToPresent(recording.recordedAt);
    await expectNoViolation();
    await expectWholeAuditLog();
    [wrongPayment, wrongPayout] = [await find("dord", "9400"), await find("word", "9200")];
    bookedBefore = [await bookedFor(wrongPayment), await bookedFor(wrongPayout)];
    providers = await startRecordedProviders(recording, { [wrongPayment.id]: "9399", [wrongPayout.id]: "9150" });
    await approve(await find("word", "9000"), "ana");
    await approve(await find("word", "800"), "ana");
    for (let round = 0; round < 3; round += 1) await work();
  });
  afterAll(() => providers.server.stop());

  it("no invariant is broken, and the audit log is intact", async () => {
    await expectNoViolation();
    await expectWholeAuditLog();
  });

  it("a creation retried under its Idempotency-Key replays its first answer", async () => {
    const { creation } = recording;
    expect(await call(creation)).toEqual({ status: 201, body: creation.body });
  });

  it.each(["9000", "9100", "9200", "9300"])("a payment of %s succeeds and is credited once", async (amount) => {
    const payment = await find("dord", amount);
    expect(payment.status).toBe("succeeded");
    expect(await bookedFor(payment)).toEqual({ available: amount, provider_clearing: `-${amount}` });
  });

  it.each(["9000", "9100", "9300", "9400", "9600", "9700", "800"])("a payout of %s succeeds", async (amount) => {
    const payout = await find("word", amount);
    expect(payout.status).toBe("succeeded");
    expect(await bookedFor(payout)).toEqual({ available: `-${amount}`, provider_clearing: amount });
  });

  it("creates only intents that no provider had, once each, under the intent's id", async () => {
    const expected = await Promise.all([
      find("dord", "9300"),
      ...["9000", "9400", "9700", "800"].map((amount) => find("word", amount)),
    ]);
    expect(providers.created.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  });

  it("a payout that its provider may have forgotten is not sent again, and opens an exception", async () => {
    const forgotten = await find("word", "950");
    expect(forgotten.status).toBe("processing");
    expect(await openExceptions(forgotten.id)).toEqual([{ kind: "stuck" }]);
  });

  it("a different amount booked by the release is not booked again, and opens an exception", async () => {
    expect([await bookedFor(wrongPayment), await bookedFor(wrongPayout)]).toEqual(bookedBefore);
    expect((await find("word", "9200")).status).toBe("processing");
    expect(await openExceptions(wrongPayout.id)).toEqual([{ kind: "amount_mismatch" }, { kind: "contradiction" }]);
    expect(await openExceptions(wrongPayment.id)).toEqual([{ kind: "amount_mismatch" }]);
  });

  it("a payout with one of two approvals accepts the second; one without any stays pending", async () => {
    expect((await find("word", "800")).status).toBe("succeeded");
    expect((await find("word", "700")).status).toBe("requires_approval");
  });

  it.each(["20000", "30000", "40000"])("a top-up of %s is credited for the full sum", async (amount) => {
    const topup = await find("tuin", amount);
    expect(topup.status).toBe("succeeded");
    expect((await bookedFor(topup)).available).toBe(amount);
  });

  it("callbacks dropped by the release have no digest, so each awaits an operator", async () => {
    const rows = await query<{ result: string | null; attempts: number; exceptions: number }>(
      `SELECT result, attempts, (SELECT count(*)::int FROM exception WHERE kind = 'unapplied_callback') AS exceptions
       FROM provider_callback WHERE body LIKE '%dord_01h455vb4pex5vsknk084sn02q%' ORDER BY result`,
    );
    expect(rows).toEqual([
      { result: "unverified", attempts: 1, exceptions: 2 },
      { result: "unverified", attempts: 1, exceptions: 2 },
    ]);
  });

  it("a larger late total books its excess over the release's bookings, once", async () => {
    const [late] = await query<Intent & { source: string }>(
      `SELECT id, merchant_id, source_amount::text AS source FROM topup_intent WHERE status = 'expired'
         AND id IN (SELECT object_id FROM exception WHERE kind = 'late_money' GROUP BY 1 HAVING count(*) = 2)`,
    );
    if (!late) throw new Error("the recording has no top-up with two late totals");
    const before = BigInt((await bookedFor(late)).suspense ?? "0");
    const funds = { status: "funds_seen", currency: "USDT", confirmed: true };
    const total = ((BigInt(late.source) * 3n) / 4n).toString();
    for (let time = 0; time < 2; time += 1) {
      await providers.callBack(late.merchant_id, late.id, { ...funds, amount: total });
      await work();
    }
    const after = BigInt((await bookedFor(late)).suspense ?? "0");
    expect(Number(2n * after - 3n * before)).toBeCloseTo(0, -1);
    await expectNoViolation();
  });

  it("two people accept a different amount of a payout, and the release's booking is restored", async () => {
    const finding = { outcome: "settled", amount: "9150", providerReference: null, evidence: "Letter." } as const;
    const context = await asMember({ merchantId: wrongPayout.merchant_id, environment: "live" }, FINANCE);
    const { id } = await proposeResolution(context, wrongPayout.id, finding);
    await confirmResolution(id, namedOperator("Jan Novak"));
    expect((await find("word", "9200")).status).toBe("succeeded");
    expect(await settleMoney(wrongPayout.id, "restore")).toBe(1);
    expect(await bookedFor(wrongPayout)).toEqual({ available: "-9150", provider_clearing: "9150" });
    await expectNoViolation();
  });

  it("all money that the release held in suspense leaves it once people resolve its exceptions", async () => {
    expect(await settleMoney(null, "refund")).toBeGreaterThan(5);
    expect(await settleMoney(null, "absorb")).toBeGreaterThan(0);
    const rows = "SELECT currency, balance FROM ledger_account WHERE kind = 'suspense' AND balance <> 0";
    expect(await query(rows)).toEqual([]);
    await expectNoViolation();
    await linkAuditEntries();
    await expectWholeAuditLog();
  });
});
