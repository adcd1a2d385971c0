// Finds the business of a key.
import type { XenditAnswer, XenditClient } from "./client";
import { ownedList } from "./objects";
import { CALLS } from "./tables";

/**
 * Returns the id of the business that a list of Xendit names. Otherwise the last answer: Xendit did not answer, the key may
 * not read the lists, or the business has neither payment requests nor transactions yet.
 */
export async function findAccount(client: XenditClient, signal: AbortSignal): Promise<string | XenditAnswer> {
  let last: XenditAnswer = { kind: "data", data: null };
  for (const { method, path } of [CALLS.listPayments, CALLS.transactions]) {
    last = await client({ method, path: `${path}?limit=1` }, signal);
    const parsed = last.kind === "data" ? ownedList.safeParse(last.data) : null;
    const [first] = parsed?.data?.data ?? [];
    if (first) return first.business_id;
  }
  return last;
}
