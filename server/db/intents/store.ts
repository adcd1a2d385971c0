// Reads intents by id, by reference or by page, and claims due intents for the worker.
import type { ListOrder } from "@/server/domain/list-order";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { query, queryAcrossMerchants } from "../client";
import { orOnLockConflict } from "../failures";
import type { PagePosition } from "../list-start";
import { claimStatement, type ProviderCapacity } from "./claim";
import type { IntentFilter } from "./conditions";
import { createFinder } from "./find";
import { createDispatchedFinder } from "./find-dispatched";
import { listStatement } from "./list-statement";
import { createPostponer } from "./postpone";
import { type CoreRow, type RowMapping, selectList } from "./row";

export type { IntentFilter } from "./conditions";

/** A due intent, and what time it was for its merchant when it was taken. */
interface IntentClaim<Intent> {
  readonly intent: Intent;
  readonly at: Date;
}

export interface IntentStore<Intent> {
  find(scope: Scope, id: string): Promise<Intent | null>;
  findByReference(scope: Scope, merchantReference: string): Promise<Intent | null>;
  /** Those of the ids that exist in the scope, in no order. */
  findSome(scope: Scope, ids: readonly string[]): Promise<Intent[]>;
  /** Whatever its environment. */
  findOfMerchant(merchantId: string, id: string): Promise<Intent | null>;
  /** The intent that providers know under that reference. */
  findDispatched(merchantId: string, reference: string): Promise<Intent | null>;
  /** At most `count` intents in the order, newest first unless said otherwise, after the position. */
  list(
    scope: Scope,
    filter: IntentFilter,
    after: PagePosition | null,
    count: number,
    order?: ListOrder,
  ): Promise<Intent[]>;
  /**
   * Takes up to `count` due intents, and as many of merchants with a clock of their own, for `leaseMs`, no more of one
   * provider than there is room: they fall due again then, should their worker die. Due is what is due by the merchant's
   * time, which each is given with.
   */
  claimDueAcrossMerchants(count: number, leaseMs: number, room?: ProviderCapacity): Promise<IntentClaim<Intent>[]>;
  /** Sets the next poll of an intent that did not change; changes no row if the intent has moved on. */
  postpone(intent: IntentCore<string>, dueAt: Date): Promise<void>;
}

/** The store of one kind of intent. */
export function createIntentStore<Intent extends IntentCore<string>, Row extends CoreRow>(
  mapping: RowMapping<Intent, Row>,
): IntentStore<Intent> {
  const { table } = mapping;
  const finder = createFinder(mapping);
  const dispatched = createDispatchedFinder(mapping);
  const postponer = createPostponer(table);
  const claim = claimStatement(table, selectList(mapping), mapping);
  const select = `SELECT ${selectList(mapping)} FROM ${table} WHERE merchant_id = $1 AND environment = $2`;

  async function findOne(sql: string, ...values: unknown[]): Promise<Intent | null> {
    const [row] = await query<Row>(sql, ...values);
    return row ? mapping.fromRow(row) : null;
  }

  return {
    find: (scope, id) => finder.add({ scope, id }),

    findByReference: (scope, reference) =>
      findOne(`${select} AND merchant_reference = $3`, scope.merchantId, scope.environment, reference),

    async findSome(scope, ids) {
      const rows = await query<Row>(`${select} AND id = ANY($3::text[])`, scope.merchantId, scope.environment, ids);
      return rows.map(mapping.fromRow);
    },

    findOfMerchant: (merchantId, id) =>
      findOne(`SELECT ${selectList(mapping)} FROM ${table} WHERE merchant_id = $1 AND id = $2`, merchantId, id),

    findDispatched: (merchantId, reference) => dispatched.add({ merchantId, reference }),

    async list(scope, filter, after, count, order = "newest_first") {
      const values: unknown[] = [scope.merchantId, scope.environment];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const statement = listStatement(select, mapping, { filter, after, order, count }, parameter);
      const rows = await query<Row>(statement, ...values);
      return rows.map(mapping.fromRow);
    },

    async claimDueAcrossMerchants(count, leaseMs, { perProvider, left } = { perProvider: count, left: {} }) {
      const taken = queryAcrossMerchants<Row & { at_ms: number }>(
        claim,
        count,
        leaseMs,
        JSON.stringify(left),
        perProvider,
      );
      const rows = await orOnLockConflict(taken, []);
      return rows.map((row) => ({ intent: mapping.fromRow(row), at: new Date(row.at_ms) }));
    },

    postpone: (intent, dueAt) => postponer.add({ intent, dueAt }),
  };
}
