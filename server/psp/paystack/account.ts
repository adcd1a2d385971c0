// Finds the account of a key: an integration of Paystack.
import { z } from "zod";
import { exactInteger, type PaystackClient } from "./client";
import { CALLS } from "./tables";

const owned = z.array(z.object({ integration: exactInteger }));

/** The two lists name the length of a page differently, and ignore the other name. */
const ONE = "?perPage=1&per_page=1";

/**
 * Returns the account id that a list of Paystack names; null if Paystack does not answer, or if the account has neither
 * customers nor recipients yet.
 */
export async function findAccount(client: PaystackClient, signal: AbortSignal): Promise<string | null> {
  for (const { method, path } of [CALLS.customers, CALLS.recipients]) {
    const answer = await client({ method, path: `${path}${ONE}` }, signal);
    const parsed = answer.kind === "data" ? owned.safeParse(answer.data) : null;
    const [first] = parsed?.data ?? [];
    if (first) return first.integration.toString();
  }
  return null;
}
