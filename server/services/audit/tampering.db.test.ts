// Verification finds every direct change of the audit log in the database and names its first row.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { linkAuditEntries } from "./link-entries";
import { openTamperer, type Tamperer } from "./testing/tampering";
import { verifyAuditChains } from "./verify-chains";

const RUNS = 200;
vi.setConfig({ testTimeout: 120_000 });

let merchant: TestMerchant;
let tamperer: Tamperer;
let last: number;

const FORGED = "aud_forged";
const FORGERY = `
  INSERT INTO audit_entry (merchant_id, id, actor_type, actor_id, action, object_id, created_at)
  VALUES ($1, '${FORGED}', 'operator', 'cli', 'wallet.fund', 'wallet:BRL', now() - interval '1 hour')`;
const forgedLink = (sequence: number) => `
  INSERT INTO audit_link (merchant_id, sequence, entry_id, hash, key_id, linked_at)
  SELECT merchant_id, ${sequence}, '${FORGED}', repeat('ab', 32), key_id, linked_at FROM audit_link
  WHERE merchant_id = $1 AND sequence = 1`;
/** A number is free only after the statement that releases it. */
const shift = (from: number, by: number) => [
  `UPDATE audit_link SET sequence = sequence + 1000000 WHERE merchant_id = $1 AND sequence >= ${from}`,
  `UPDATE audit_link SET sequence = sequence - 1000000 + ${by} WHERE merchant_id = $1 AND sequence > 1000000`,
];
const linkAt = (n: number) => `merchant_id = $1 AND sequence = ${n}`;
const idAt = (n: number) => `(SELECT entry_id FROM audit_link WHERE ${linkAt(n)})`;
const entryAt = (n: number) => `merchant_id = $1 AND id = ${idAt(n)}`;
interface Tampering {
  readonly name: string;
  readonly statements: readonly string[];
  /** The position that must be reported; null for an entry that never had one. */
  readonly sequence: number | null;
  readonly entryId?: string;
}

const EDITS = [
  "merchant_id = merchant_id || 'x'",
  "id = id || 'x'",
  "environment = CASE environment WHEN 'test' THEN 'live' ELSE 'test' END",
  "actor_type = 'provider'",
  "actor_id = actor_id || ' '",
  "action = action || 's'",
  "object_id = upper(object_id)",
  `"before" = CASE WHEN "before" IS NULL THEN 'null'::jsonb END`,
  `"after" = "after" || '{"n": 12345678901234567890123}'`,
  `"after" = NULL`,
  "reason = coalesce(reason, '') || '.'",
  "request_id = 'req_1'",
  "address = ''",
  "created_at = created_at + interval '1 millisecond'",
  "created_at = created_at - interval '4000 years'",
  "created_at = 'infinity'",
];

const LINK_EDITS = [
  "hash = translate(hash, '0123456789abcdef', '123456789abcdef0')",
  "key_id = 'deadbeef'",
  "linked_at = linked_at + interval '1 millisecond'",
  "linked_at = 'infinity'",
  "entry_id = entry_id || 'x'",
  "merchant_id = merchant_id || 'x'",
  "sequence = sequence + 1000",
];

function tamperings(length: number): fc.Arbitrary<Tampering> {
  const place = fc.integer({ min: 1, max: length });
  const two = fc.uniqueArray(place, { minLength: 2, maxLength: 2 }).map((pair) => [...pair].sort((a, b) => a - b));
  return fc.oneof(
    fc.tuple(place, fc.constantFrom(...EDITS)).map(([n, edit]) => ({
      name: `edit entry ${n}: ${edit}`,
      statements: [`UPDATE audit_entry SET ${edit} WHERE ${entryAt(n)}`],
      sequence: n,
    })),
    fc.tuple(place, fc.constantFrom(...LINK_EDITS)).map(([n, edit]) => ({
      name: `edit link ${n}: ${edit}`,
      statements: [`UPDATE audit_link SET ${edit} WHERE ${linkAt(n)}`],
      sequence: n,
    })),
    place.map((n) => ({
      name: `delete entry ${n}`,
      statements: [`DELETE FROM audit_entry WHERE ${entryAt(n)}`],
      sequence: n,
    })),
    place.map((n) => ({
      name: `delete link ${n}`,
      statements: [`DELETE FROM audit_link WHERE ${linkAt(n)}`],
      sequence: n,
    })),
    place.map((n) => ({
      name: `delete entry and link ${n}`,
      statements: [`DELETE FROM audit_entry WHERE ${entryAt(n)}`, `DELETE FROM audit_link WHERE ${linkAt(n)}`],
      sequence: n,
    })),
    fc.integer({ min: 1, max: length - 1 }).map((n) => ({
      name: `delete link ${n} and close the gap`,
      statements: [`DELETE FROM audit_link WHERE ${linkAt(n)}`, ...shift(n + 1, -1)],
      sequence: n,
    })),
    place.map((n) => ({
      name: `delete everything from ${n} on`,
      statements: [
        `DELETE FROM audit_entry e USING audit_link l WHERE l.merchant_id = $1 AND l.sequence >= ${n}
           AND e.merchant_id = l.merchant_id AND e.id = l.entry_id`,
        `DELETE FROM audit_link WHERE merchant_id = $1 AND sequence >= ${n}`,
      ],
      sequence: n,
    })),
    two.map(([a = 0, b = 0]) => ({
      name: `swap the entries of links ${a} and ${b}`,
      statements: [
        `UPDATE audit_link SET entry_id = entry_id || '.' WHERE merchant_id = $1 AND sequence IN (${a}, ${b})`,
        `UPDATE audit_link l SET entry_id = rtrim(o.entry_id, '.') FROM audit_link o
         WHERE l.merchant_id = $1 AND o.merchant_id = $1
           AND (l.sequence, o.sequence) IN ((${a}, ${b}), (${b}, ${a}))`,
      ],
      sequence: a,
    })),
    two.map(([a = 0, b = 0]) => ({
      name: `swap what entries ${a} and ${b} are about`,
      statements: [
        `UPDATE audit_entry e SET object_id = o.object_id, action = o.action FROM audit_entry o
         WHERE e.merchant_id = $1 AND o.merchant_id = $1
           AND (e.id, o.id) IN ((${idAt(a)}, ${idAt(b)}), (${idAt(b)}, ${idAt(a)}))`,
      ],
      sequence: a,
    })),
    fc.constant({ name: "insert an entry", statements: [FORGERY], sequence: null, entryId: FORGED }),
    fc.constant({ name: "append a link", statements: [FORGERY, forgedLink(length + 1)], sequence: length + 1 }),
    place.map((n) => ({
      name: `insert a link at ${n}`,
      statements: [FORGERY, ...shift(n, 1), forgedLink(n)],
      sequence: n,
    })),
    fc.integer({ min: 0, max: length - 1 }).map((n) => ({
      name: `rewind the end to ${n}`,
      statements: [`UPDATE audit_chain SET last_sequence = ${n} WHERE merchant_id = $1`],
      sequence: n + 1,
    })),
    fc.integer({ min: 1, max: 9 }).map((n) => ({
      name: `move the end ${n} on`,
      statements: [`UPDATE audit_chain SET last_sequence = last_sequence + ${n} WHERE merchant_id = $1`],
      sequence: length + 1,
    })),
    fc.constant({
      name: "edit the hash at the end",
      statements: ["UPDATE audit_chain SET last_hash = repeat('0', 64) WHERE merchant_id = $1"],
      sequence: length,
    }),
    fc.constant({
      name: "delete the end",
      statements: ["DELETE FROM audit_chain WHERE merchant_id = $1"],
      sequence: 1,
    }),
  );
}

beforeAll(async () => {
  merchant = await makeMerchant(["BRL", "MXN"]);
  await makeMerchant();
  for (let n = 0; n < 12; n += 1) {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    if (n % 2 === 0)
      await cancelPayoutIntent(merchant.byMember(), { id: intent.id, reason: `${n}` }, withoutIdempotency());
  }
  await linkAuditEntries();
  const [report] = await verifyAuditChains(merchant.merchantId);
  last = Number(report?.end.sequence);
  tamperer = await openTamperer();
});

afterAll(async () => {
  await tamperer.close();
  await disconnect();
});

async function verdict() {
  const reports = await verifyAuditChains(null);
  return reports.filter(({ broken }) => broken !== null);
}

describe("tampering", () => {
  it(`of ${RUNS} random kinds is found every time, at the first row it touched`, async () => {
    const found: string[] = [];
    expect(last).toBeGreaterThanOrEqual(20);
    expect(await verdict()).toEqual([]);
    await fc.assert(
      fc.asyncProperty(tamperings(last), async ({ name, statements, sequence, entryId }) => {
        await tamperer.tamper(statements, merchant.merchantId);
        try {
          const broken = (await verdict()).find(({ merchantId }) => merchantId === merchant.merchantId)?.broken;
          const place = broken?.sequence === null ? null : Number(broken?.sequence);
          expect([name, place]).toEqual([name, sequence]);
          expect(broken?.entryId).toBe(entryId ?? broken?.entryId);
          found.push(name);
        } finally {
          await tamperer.restore();
        }
      }),
      { numRuns: RUNS, seed: 20_261_121, endOnFailure: true },
    );
    expect(found).toHaveLength(RUNS);
    expect(await verdict()).toEqual([]);
  });

  it("by every kind of edit of an entry and of a link is found", async () => {
    const statements = [
      ...EDITS.map((edit) => `UPDATE audit_entry SET ${edit} WHERE ${entryAt(5)}`),
      ...LINK_EDITS.map((edit) => `UPDATE audit_link SET ${edit} WHERE ${linkAt(5)}`),
    ];
    for (const statement of statements) {
      await tamperer.tamper([statement], merchant.merchantId);
      const broken = (await verdict()).find(({ merchantId }) => merchantId === merchant.merchantId)?.broken;
      expect([statement, broken?.sequence]).toEqual([statement, 5n]);
      await tamperer.restore();
    }
  });

  it("with an entry that still waits is found: deleted, or without its queue row", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await tamperer.tamper(["DELETE FROM audit_entry WHERE object_id = $1"], intent.id);
    const [report] = await verifyAuditChains(merchant.merchantId);
    expect(report).toMatchObject({ waiting: 1, broken: { fault: "entry_missing", sequence: null } });
    await tamperer.restore();
    await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await tamperer.tamper(
      ["UPDATE audit_pending SET queued_at = now() - interval '61 seconds' WHERE merchant_id = $1"],
      merchant.merchantId,
    );
    expect(await verdict()).toMatchObject([{ waiting: 1, unlinked: 1, broken: { fault: "unlinked", sequence: null } }]);
    await tamperer.restore();
  });

  it("that cuts off the end of the chain and all traces of it is found against an earlier report", async () => {
    const [earlier] = await verifyAuditChains(merchant.merchantId);
    const anchors = new Map([[merchant.merchantId, earlier?.end ?? { sequence: 0n, hash: "" }]]);
    const cut = last - 3;
    await tamperer.tamper(
      [
        `DELETE FROM audit_entry e USING audit_link l WHERE l.merchant_id = $1 AND l.sequence >= ${cut}
           AND e.merchant_id = l.merchant_id AND e.id = l.entry_id`,
        `DELETE FROM audit_link WHERE merchant_id = $1 AND sequence >= ${cut}`,
        `UPDATE audit_chain SET last_sequence = ${cut - 1},
           last_hash = (SELECT hash FROM audit_link WHERE ${linkAt(cut - 1)}) WHERE merchant_id = $1`,
      ],
      merchant.merchantId,
    );
    // The chain alone shows nothing; rows without entries do. Only the anchor gives the position.
    expect(await verdict()).toMatchObject([{ broken: { fault: "row_unaudited", sequence: null } }]);
    const reports = await verifyAuditChains(null, anchors);
    const broken = reports.map((report) => report.broken).filter((one) => one !== null);
    expect(broken).toEqual([{ fault: "link_missing", sequence: BigInt(cut), entryId: null, object: null }]);
    // The next entries are linked at the cut, under the right key, and still differ from the anchor's hash.
    for (let n = 0; n < 6; n += 1) await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await linkAuditEntries();
    const [later] = await verifyAuditChains(merchant.merchantId, anchors);
    expect(later?.broken).toMatchObject({ fault: "anchor_differs", sequence: BigInt(last) });
    await tamperer.restore();
  });

  it("does not affect other merchants' chains: they continue, this one does not", async () => {
    const other = await makeMerchant();
    await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await tamperer.tamper([FORGERY, forgedLink(last + 1)], merchant.merchantId);
    expect((await linkAuditEntries()).entries).toBe(2);
    expect(await verifyAuditChains(other.merchantId)).toMatchObject([{ waiting: 0, broken: null }]);
    const [report] = await verifyAuditChains(merchant.merchantId);
    expect(report).toMatchObject({ waiting: 1, broken: { fault: "altered", sequence: BigInt(last + 1) } });
  });
});
