// Sets the next poll of unchanged intents. Concurrent changes share one statement and one commit.
import type { IntentCore } from "@/server/domain/transition";
import type { Batcher } from "@/server/platform/batcher";
import { query } from "../client";
import { isAttributable } from "../failures";
import { createMerchantBatcher } from "../merchant-batcher";

export interface Postponement {
  readonly intent: IntentCore<string>;
  readonly dueAt: Date;
}

/** As many as a worker has with its providers at a time, with room to spare. */
const MAXIMUM_BATCH = 64;

/** Touches no row that has moved on: what it is due for was decided on another revision. */
function postponement(table: string): string {
  return `
    UPDATE ${table} t SET due_at = later.due_at
    FROM unnest($1::text[], $2::text[], $3::int[], $4::timestamptz[]) AS later(merchant_id, id, revision, due_at)
    WHERE t.merchant_id = later.merchant_id AND t.id = later.id AND t.revision = later.revision
      AND t.due_at IS NOT NULL`;
}

/** The batcher of one table. After a deadlock with another worker's batch it is run again in halves. */
export function createPostponer(table: string): Batcher<Postponement, void> {
  const statement = postponement(table);
  return createMerchantBatcher({
    merchantOf: ({ intent }) => intent.merchantId,
    isAttributable,
    exclusiveKey: ({ intent }) => `${intent.merchantId}/${intent.id}`,
    maximumSize: MAXIMUM_BATCH,
    async run(postponements: readonly Postponement[]) {
      await query(
        statement,
        postponements.map(({ intent }) => intent.merchantId),
        postponements.map(({ intent }) => intent.id),
        postponements.map(({ intent }) => intent.revision),
        postponements.map(({ dueAt }) => dueAt),
      );
      return postponements.map(() => undefined);
    },
  });
}
