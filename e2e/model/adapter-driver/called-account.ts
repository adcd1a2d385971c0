// Whether the service's calls about an intent are for the account that its merchant has at the provider.
import type { SeenCall } from "../../support/hostile-provider/server";

/** How a call names its account to the provider. */
interface CalledAccount {
  /** The header that names a sub-account. */
  readonly header: string;
  /** The intent's; null for the key's own account. */
  readonly subAccount: string | null;
  /** True for a call that asks whose an account is: it is about no intent. */
  isProof(call: SeenCall): boolean;
}

interface Reader {
  /** What the service asked for that is not what the merchant wanted. */
  readonly wrongRequests: string[];
  read(call: SeenCall): void;
}

/** Returns a watcher that reads each call, and notes those that are for another account than the intent's. */
export function readingCallsFor({ header, subAccount, isProof }: CalledAccount, reader: Reader) {
  return (call: SeenCall): void => {
    const asked = (call.headers[header] as string | undefined) ?? null;
    if (asked !== subAccount && !isProof(call)) {
      reader.wrongRequests.push(`${call.method} ${call.path} is for ${asked ?? "the key's own account"}`);
    }
    reader.read(call);
  };
}
