// Proves that a batch's statement has what every unit of it needs.
import { expect, it } from "vitest";
import { paymentMapping } from "../intents/payment-row";
import { commonShape, creationStatement, shapeOf, transitionStatement } from "./statement";

const RECORDS_ONLY = { transactions: [], event: null, approval: null };

it.each([
  ["a call that was announced", { ...RECORDS_ONLY, attempt: {} }, "records"],
  ["an answer that ends nothing", { ...RECORDS_ONLY, answer: {}, seal: {} }, "records"],
  ["an event", { ...RECORDS_ONLY, event: {} }, "money"],
  ["a booking", { transactions: [{}] }, "money"],
  ["an approval", { ...RECORDS_ONLY, approval: {} }, "whole"],
  ["an exception beside an event", { ...RECORDS_ONLY, event: {}, exceptions: [{}] }, "whole"],
])("a unit with %s", (_what, unit, shape) => {
  expect(shapeOf(unit)).toBe(shape);
});

it("a batch takes the largest shape of its units", () => {
  expect(commonShape(["records", "records"])).toBe("records");
  expect(commonShape(["records", "money"])).toBe("money");
  expect(commonShape(["money", "whole", "records"])).toBe("whole");
});

it("each shape writes what the smaller one writes, and more", () => {
  const tables = (sql: string) => [...sql.matchAll(/INSERT INTO (\w+)/g)].map(([, table]) => table);
  const { records, money, whole } = transitionStatement(paymentMapping);
  const basic = ["provider_attempt", "audit_entry", "audit_pending", "idempotency_seal"];
  const more = ["event", "ledger_transaction", "ledger_entry", "delivery"];
  expect(tables(records)).toEqual(["idempotency_key", ...basic]);
  expect(tables(money)).toEqual(["idempotency_key", ...basic, ...more]);
  expect(tables(whole)).toEqual(["idempotency_key", ...basic, ...more, "approval", "exception"]);
  expect(tables(creationStatement(paymentMapping).money)).toContain("ledger_entry");
});
