// Proves to which account a key belongs, so that "not found" is about the account that received the call.
import { z } from "zod";
import { exactInteger, type PaystackClient } from "./client";
import { CALLS } from "./tables";

/** `unproven`: Paystack did not answer, or the account has neither customers nor recipients yet. */
type AccountProof = "same" | "other" | "unproven";

export interface AccountGuard {
  /** Compares an account id of any answer with the configured one. */
  note(integration: number): AccountProof;
  /** Asks Paystack unless an earlier answer has proven it. */
  prove(signal: AbortSignal): Promise<AccountProof>;
}

const owned = z.array(z.object({ integration: exactInteger }));

/** The two lists name the length of a page differently, and ignore the other name. */
const ONE = "?perPage=1&per_page=1";

/** Returns the account id that a list of Paystack names; null if the list is empty or unreadable. */
export async function findAccount(client: PaystackClient, signal: AbortSignal): Promise<string | null> {
  for (const { method, path } of [CALLS.customers, CALLS.recipients]) {
    const answer = await client({ method, path: `${path}${ONE}` }, signal);
    const parsed = answer.kind === "data" ? owned.safeParse(answer.data) : null;
    const [first] = parsed?.data ?? [];
    if (first) return first.integration.toString();
  }
  return null;
}

/** Returns the guard of one configured account. A key belongs to one account for good, so one proof is enough. */
export function createAccountGuard(account: string, client: PaystackClient): AccountGuard {
  let proof: AccountProof = "unproven";
  const compare = (found: string): AccountProof => {
    if (proof !== "other") proof = found === account ? "same" : "other";
    return proof;
  };
  return {
    note: (integration) => compare(integration.toString()),
    async prove(signal) {
      if (proof !== "unproven") return proof;
      const found = await findAccount(client, signal);
      return found === null ? "unproven" : compare(found);
    },
  };
}
