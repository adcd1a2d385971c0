import { expect, it } from "vitest";
import { copyStatements } from "./copies";
import { bytesPerLife, type GrowthResults, growthGoals, growthMarkdown, isGrowthMet, type Mark } from "./report";

const MIB = 1_048_576;

const mark = (day: number, lives: number, changes: Partial<Mark> = {}): Mark => ({
  day,
  lives,
  pages: { "list payments": 10 },
  walPerCreate: 1_000,
  bytes: {
    api_log: 100 * MIB,
    delivery_attempt: 100 * MIB,
    idempotency_key: MIB,
    idempotency_seal: MIB,
    payment_intent: lives * 50,
  },
  ...changes,
});
const results = (last: Partial<Mark> = {}): GrowthResults => ({
  days: 730,
  livesPerDay: 1,
  marks: [mark(60, 60), mark(730, 730, last)],
});

it("state is counted without the tables whose old rows go", () => {
  expect(bytesPerLife(results())).toEqual([["payment_intent", 50]]);
});

it("what grows too much misses its goal", () => {
  expect(isGrowthMet(results())).toBe(true);
  const missed = (last: Partial<Mark>) =>
    growthGoals(results(last))
      .filter(({ ratio, most }) => !(ratio <= most))
      .map(({ goal }) => goal);
  expect(missed({ pages: { "list payments": 16 } })).toEqual(["pages: list payments"]);
  expect(missed({ walPerCreate: 1_501 })).toEqual(["WAL of a create"]);
  const { bytes } = mark(730, 730);
  expect(missed({ bytes: { ...bytes, api_log: 131 * MIB } })).toEqual(["size: api_log"]);
  // A MiB is allowed, since a small table's free pages come and go.
  expect(missed({ bytes: { ...bytes, idempotency_key: 2 * MIB } })).toEqual([]);
  expect(missed({ bytes: { ...bytes, idempotency_key: 2.1 * MIB } })).toEqual(["size: idempotency_key"]);
  expect(missed({ pages: {} })).toEqual(["pages: list payments"]);
});

it("the report shows every mark and goal", () => {
  const around = { at: "2026-11-26", machine: {}, versions: {}, postgres: {}, rowsAtTheEnd: {} };
  const text = growthMarkdown(around, results({ walPerCreate: 2_000 }));
  expect(text).toContain("| WAL of a create | ≤ 1.50 × | 2.00 × | **no** |");
  expect(text).toContain("50 bytes for each life");
});

it("a copy has new ids and times, and the ids that lives share", () => {
  const shared = "mer_01h455vb4pex5vsknk084sn02q";
  const id = "dord_01h455vb4pex5vsknk084sn11r";
  const row = { merchant_id: shared, id, merchant_reference: "order-1", created_at: "2026-11-26T00:00:00Z" };
  const statements = copyStatements(
    { payment_intent: [row], event: [{ merchant_id: shared, id: "evt_01h455vb4pex5vsknk084sn22s", intent_id: id }] },
    { from: new Date(0), ms: 1_000, before: 5, lives: 2 },
  );
  expect(statements).toHaveLength(2);
  expect(statements.join()).toContain(shared);
  for (const text of [id.slice(0, -1), "order-1"]) expect(statements.join()).not.toContain(text);
  expect(statements[0]).toContain("generate_series(5, 6)");
});
