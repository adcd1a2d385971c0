// Sends callbacks to the service, true ones and, if a test requests it, false ones.
import { randomUUID } from "node:crypto";
import type { Book } from "./book";
import { sign } from "./signing";
import type { Report } from "./wire";

export interface CallbackOrder {
  readonly reference: string;
  /** Members that replace those of the true report, such as another status or amount. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** Deliveries of the same callback, one after the other; 1 by default. */
  readonly times?: number;
  readonly callback_id?: string;
  /** Signs with another secret. */
  readonly forged?: boolean;
  /** Moves the signed time, in seconds. */
  readonly clock_offset?: number;
}

/** The merchant and report for a reference that is not in the book: all values then come from `changes`. */
const NOTHING_KNOWN = { merchant_id: "mer_unknown", report: {} as Partial<Report> };

/** Sends a callback, which requires a target, and returns the statuses of its deliveries; 0 means no answer. */
export async function sendCallback(
  book: Book,
  target: { readonly url: string; readonly path: string; readonly secret: string },
  order: CallbackOrder,
): Promise<number[]> {
  const entry = book.find(order.reference);
  const known = entry
    ? { merchant_id: entry.creation.merchant_id, report: book.report(entry, "callback") }
    : NOTHING_KNOWN;
  const body = JSON.stringify({
    callback_id: order.callback_id ?? `cb_${randomUUID()}`,
    merchant_id: known.merchant_id,
    ...known.report,
    reference: order.reference,
    ...order.changes,
  });
  const secret = order.forged ? `${target.secret}-forged` : target.secret;
  const statuses: number[] = [];
  for (let delivery = 0; delivery < (order.times ?? 1); delivery += 1) {
    const timestamp = Math.floor(Date.now() / 1000) + (order.clock_offset ?? 0);
    const headers = {
      "content-type": "application/json",
      "sluice-timestamp": String(timestamp),
      "sluice-signature": sign(secret, timestamp, "POST", target.path, body),
    };
    statuses.push(await deliver(target.url + target.path, headers, body));
  }
  return statuses;
}

async function deliver(url: string, headers: Record<string, string>, body: string): Promise<number> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
