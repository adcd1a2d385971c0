// Payers who pay what clients have created, and the provider that reports it until the service has accepted the report.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../rest/database";
import type { FakePsp } from "../../support/fake-psp/start";

const EVERY_MS = 150;
const ENDS_WITHIN_MS = 60_000;

interface Paid {
  /** The last status of each report that the service did not accept within a minute; 0 without an answer. */
  readonly refused: readonly number[];
  /** Waits until all paid payments have succeeded; returns the ids of those that have not within a minute. */
  unfinished(): Promise<string[]>;
}

export interface Payers {
  /** Ends it, once every report was accepted or given up. */
  stop(): Promise<Paid>;
}

/** The columns of the older release are fewer. */
const UNPAID = `
SELECT id, coalesce(to_jsonb(p)->>'dispatch_reference', id) AS reference FROM payment_intent p
WHERE status = 'requires_action' AND NOT id = ANY($1) ORDER BY created_at LIMIT 1`;
const UNFINISHED = "SELECT id FROM payment_intent WHERE id = ANY($1) AND status <> 'succeeded'";

/** Starts them: one payment is paid every 150 ms. */
export function startPayers(database: Database, psp: FakePsp): Payers {
  const paid: string[] = [];
  let isOver = false;

  /** Returns the last status; 200 if the service has accepted the report. */
  async function report(reference: string, callbackId: string): Promise<number> {
    // As providers do, under the same id.
    for (const end = Date.now() + ENDS_WITHIN_MS; ; await sleep(EVERY_MS)) {
      const [status = 0] = await psp.sendCallback({ reference, callback_id: callbackId });
      if (status === 200 || Date.now() > end) return status;
    }
  }

  const paying = (async () => {
    const reports: Promise<number>[] = [];
    while (!isOver) {
      await sleep(EVERY_MS);
      const [unpaid] = await database.query<{ id: string; reference: string }>(UNPAID, paid);
      if (!unpaid) continue;
      paid.push(unpaid.id);
      await psp.happen({ reference: unpaid.reference, event: "executed", quiet: true });
      reports.push(report(unpaid.reference, `cb_${unpaid.id}`));
    }
    return (await Promise.all(reports)).filter((status) => status !== 200);
  })();

  return {
    async stop() {
      isOver = true;
      return {
        refused: await paying,
        async unfinished() {
          for (const end = Date.now() + ENDS_WITHIN_MS; ; await sleep(EVERY_MS)) {
            const rows = await database.query<{ id: string }>(UNFINISHED, paid);
            if (rows.length === 0 || Date.now() > end) return rows.map(({ id }) => id);
          }
        },
      };
    },
  };
}
