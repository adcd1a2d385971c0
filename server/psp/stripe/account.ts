// Finds the account of a key.
import type { StripeAnswer, StripeClient } from "./client";
import { account } from "./objects";
import { CALLS } from "./tables";

/** Returns the account's id, or the answer that has none; restricted keys may not read the account. */
export async function findAccount(client: StripeClient, signal: AbortSignal): Promise<string | StripeAnswer> {
  const answer = await client(CALLS.account, signal);
  const parsed = answer.kind === "data" ? account.safeParse(answer.data) : null;
  return parsed?.success ? parsed.data.id : answer;
}
