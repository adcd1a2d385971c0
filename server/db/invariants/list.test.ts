import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PAYMENT_TRANSITIONS } from "@/server/domain/payment-transitions";
import { PAYOUT_TRANSITIONS } from "@/server/domain/payout-transitions";
import { TOPUP_TRANSITIONS } from "@/server/domain/topup-transitions";
import { INVARIANTS } from "./list";
import { MOVES, TERMINAL } from "./relations";

const DOCUMENT = readFileSync(new URL("../../../docs/invariants.md", import.meta.url), "utf8");

it("names are unique, and every invariant lists the tables that it needs", () => {
  expect(new Set(INVARIANTS.map(({ name }) => name)).size).toBe(INVARIANTS.length);
  for (const { name, needs } of INVARIANTS) expect([name, needs.length > 0]).toEqual([name, true]);
});

/** What follows the parenthesis that opens at `start`. */
function after(sql: string, start: number): string {
  let depth = 0;
  for (let at = start; at < sql.length; at += 1) {
    if (sql[at] === "(") depth += 1;
    if (sql[at] === ")") depth -= 1;
    if (depth === 0) return sql.slice(at + 1);
  }
  throw new Error("a parenthesis is not closed");
}

const namelessSubqueries = (sql: string) =>
  [...sql.matchAll(/\b(?:FROM|JOIN(?: LATERAL)?) \((?=\s*SELECT)/g)]
    .map(({ index, 0: found }) => after(sql, index + found.length - 1))
    .filter((rest) => !/^\s*(?:AS )?(?!WHERE|GROUP|ORDER|LIMIT|UNION|ON|JOIN)[a-z_]/.test(rest));

it("every subquery of FROM has an alias, which Postgres 15 requires", () => {
  expect(namelessSubqueries("SELECT FROM (SELECT count(*) FROM (SELECT 1)) named")).toHaveLength(1);
  for (const { name, sql, needs } of INVARIANTS)
    for (const text of [sql, ...needs.map((need) => `SELECT FROM ${need}`)])
      expect([name, namelessSubqueries(text)]).toEqual([name, []]);
});

it("docs/invariants.md lists each with its guarantee, in order, and no other", () => {
  const listed = [...DOCUMENT.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, guarantee]) => ({
    name,
    guarantee,
  }));
  expect(listed).toEqual(INVARIANTS.map(({ name, guarantee }) => ({ name, guarantee })));
});

it("legal moves are the domain's, the four initial statuses and one of an earlier version; nothing leaves a terminal status", () => {
  const tables = {
    payment_intent: PAYMENT_TRANSITIONS,
    payout_intent: PAYOUT_TRANSITIONS,
    topup_intent: TOPUP_TRANSITIONS,
  };
  const moves = Object.entries(tables).flatMap(([kind, table]) =>
    Object.entries(table).flatMap(([from, row]) =>
      Object.entries(row).map(([trigger, to]) => `('${kind}.${trigger}', '${from}', '${String(to)}')`),
    ),
  );
  for (const move of moves) expect(MOVES).toContain(move);
  expect(MOVES.match(/\('/g)).toHaveLength(moves.length + 5);
  expect(TERMINAL).toBe("('succeeded', 'failed', 'expired', 'cancelled')");
});
