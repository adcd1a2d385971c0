// What specs of faults share: kill a service, restart it, retry writes, count effects, check the books.
import { unused } from "../rest/bodies";
import type { Bridge } from "../rest/bridge";
import { type AnyIntent, read } from "../rest/calls";
import type { Answer } from "../support/api";
import { expect } from "../support/fixtures";

/** A write as a client stores it, to repeat it under the same key. */
export interface Write {
  readonly path: string;
  readonly body: object;
  readonly options: { readonly headers: { readonly "idempotency-key": string } };
}

export const write = (path: string, body: object): Write => ({
  path,
  body,
  options: { headers: { "idempotency-key": unused("kill") } },
});

export function send({ live }: Bridge, { path, body, options }: Write): Promise<Answer> {
  return live.post(path, body, options);
}

/** Retries as a client should, on 409 in flight, 5xx and broken connections, until the answer is definite. */
export async function settle(bridge: Bridge, one: Write, withinMs = 60_000): Promise<Answer> {
  for (const end = Date.now() + withinMs; ; ) {
    const answer = await send(bridge, one).catch(() => null);
    const isDefinite = answer && answer.status < 500 && answer.headers.get("retry-after") === null;
    if (isDefinite) return answer;
    if (Date.now() > end) throw new Error(`no definite answer for ${one.path}: ${answer?.text ?? "no answer at all"}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Kills every process of the service at once, except the database's, and restarts the service on the same data. */
export async function killAndStartAgain({ world }: Bridge): Promise<void> {
  await world.service.kill9("group");
  await world.service.restart();
  await world.reconnect();
}

/** Expects one intent for the write's merchant reference, the same in every retry and read; returns its id. */
export async function expectOneEffect(bridge: Bridge, one: Write, table: string): Promise<string> {
  const first = await settle(bridge, one);
  expect(first.status, first.text).toBe(201);
  const { id } = first.body as AnyIntent;
  const again = await settle(bridge, one);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const { merchant_reference } = one.body as { merchant_reference: string };
  const rows = await bridge.world.database.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE merchant_reference = $1`,
    merchant_reference,
  );
  expect(rows).toEqual([{ id }]);
  expect((await read(bridge.live, id)).id).toBe(id);
  return id;
}

/** Expects every balance to equal the sum of its entries, and every transaction to sum to zero per currency. */
export async function expectBooksBalance({ world }: Bridge): Promise<void> {
  const wrong = await world.database.query(
    `SELECT a.currency, a.kind FROM ledger_account a LEFT JOIN ledger_entry e USING (merchant_id, environment, currency, kind)
     GROUP BY a.merchant_id, a.environment, a.currency, a.kind, a.balance HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  );
  expect(wrong).toEqual([]);
  const unbalanced = await world.database.query(
    "SELECT transaction_id FROM ledger_entry GROUP BY transaction_id, currency HAVING sum(amount) <> 0",
  );
  expect(unbalanced).toEqual([]);
}
