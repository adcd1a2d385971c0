// Several processes delete expired rows at once: none waits for a row of another, so that no two wait for each other.
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { reapNoticesAcrossMerchants } from "./authority-notices";
import { disconnect, inTransaction, query, queryAcrossMerchants } from "./client";
import { insertFreshSignIn } from "./fresh-sign-ins";
import { reapExpiredKeysAcrossMerchants } from "./idempotency";
import { reapNotificationsAcrossMerchants } from "./notifications/outbox";
import { insertChallenge } from "./passkey-challenges";
import { reapSessionsAcrossMerchants } from "./sessions";

const DAYS = 30;
const COUNT = 500;

let merchant: TestMerchant;
let memberId: string;
let sessionId: string;
beforeAll(async () => {
  merchant = await makeMerchant();
  memberId = await makeMember(merchant.merchantId, `${randomUUID()}@staff.example`, "finance");
  sessionId = await enterAs({ id: memberId, merchantId: merchant.merchantId }, "192.0.2.1");
  await query(
    `INSERT INTO notification_registration (merchant_id, id, environment, member_id, channel, types, pace, time_zone, daily_at, created_at)
     VALUES ($1, 'nrg_' || $2, 'test', $2, 'mail', '{approval_waiting}', 'immediate', 'UTC', 540, now())`,
    merchant.merchantId,
    memberId,
  );
});
afterAll(() => disconnect());

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const soon = () => ({ at: new Date(), expiresAt: new Date(Date.now() + 60_000) });

/** A table with expired rows: how one is made by its name, which column has the name, and what deletes them. */
interface Expiring {
  readonly table: string;
  readonly name: string;
  readonly make: string;
  readonly values?: () => readonly unknown[];
  readonly remove: () => Promise<unknown>;
}

const EXPIRING: readonly Expiring[] = [
  {
    table: "idempotency_key",
    name: "key",
    make: `INSERT INTO idempotency_key (merchant_id, api_key_id, key, fingerprint, holder, created_at, lease_until)
           SELECT $2, id, $1, 'none', 'none', now() - interval '25 hours', now() FROM api_key WHERE merchant_id = $2`,
    remove: () => reapExpiredKeysAcrossMerchants(COUNT),
  },
  {
    table: "member_session",
    name: "id",
    make: `INSERT INTO member_session (merchant_id, id, member_id, address, created_at, last_seen_at, expires_at)
           SELECT $2, $1, $3, '', at, at, at + interval '1 hour' FROM (SELECT now() - interval '40 days' AS at) a`,
    values: () => [memberId],
    remove: () => reapSessionsAcrossMerchants(DAYS, COUNT),
  },
  {
    table: "authority_notice",
    name: "entry_id",
    make: `INSERT INTO authority_notice (merchant_id, entry_id, member_id, created_at)
           VALUES ($2, $1, $3, now() - interval '40 days')`,
    values: () => [memberId],
    remove: () => reapNoticesAcrossMerchants(DAYS, COUNT),
  },
  {
    table: "notification",
    name: "id",
    make: `INSERT INTO notification (merchant_id, id, registration_id, about_merchant_id, type, object_id, fact, state, created_at, ended_at)
           SELECT $2, $1, 'nrg_' || $3, $2, 'approval_waiting', $1, $1, 'skipped', at, at
           FROM (SELECT now() - interval '40 days' AS at) a`,
    values: () => [memberId],
    remove: () => reapNotificationsAcrossMerchants(DAYS, COUNT),
  },
  {
    table: "passkey_challenge",
    name: "challenge_hash",
    make: `INSERT INTO passkey_challenge (challenge_hash, purpose, binding_hash, created_at, expires_at)
           SELECT $1, 'sign_in', left($2, 0) || repeat('0', 64), at, at + interval '5 minutes' FROM (SELECT now() - interval '1 hour' AS at) a`,
    remove: () =>
      insertChallenge({ challengeHash: hash(randomUUID()), purpose: "sign_in", bindingHash: hash("") }, soon()),
  },
  {
    table: "fresh_sign_in",
    name: "id_hash",
    make: `INSERT INTO fresh_sign_in (merchant_id, id_hash, session_id, created_at, expires_at)
           SELECT $2, $1, $3, at, at + interval '5 minutes' FROM (SELECT now() - interval '1 hour' AS at) a`,
    values: () => [sessionId],
    remove: () => insertFreshSignIn({ merchantId: merchant.merchantId, idHash: hash(randomUUID()), sessionId }, soon()),
  },
];

const PREFIXES: Readonly<Record<string, string>> = { member_session: "ses_", notification: "ntf_" };
const nameOf = ({ table }: Expiring) => `${PREFIXES[table] ?? ""}${hash(randomUUID())}`;

describe.each(EXPIRING)("expired rows of $table", (expiring) => {
  const { table, name, make, values, remove } = expiring;

  it("are deleted, but for one that another session holds, without a wait for it", async () => {
    const [held, free] = [nameOf(expiring), nameOf(expiring)];
    for (const each of [held, free]) {
      await queryAcrossMerchants(make, each, merchant.merchantId, ...(values?.() ?? []));
    }
    const left = async () => {
      const rows = await queryAsOwner<{ name: string }>(
        `SELECT ${name} AS name FROM ${table} WHERE ${name} = ANY($1)`,
        [held, free],
      );
      return rows.map((row) => row.name);
    };
    expect((await left()).toSorted()).toEqual([held, free].toSorted());
    await inTransaction(async (transaction) => {
      await transaction.query(`SELECT FROM ${table} WHERE ${name} = $1 FOR UPDATE`, held);
      await remove();
      expect(await left()).toEqual([held]);
    });
    await remove();
    expect(await left()).toEqual([]);
  });
});
