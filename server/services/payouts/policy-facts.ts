// Reads the facts about earlier payouts that an approval policy needs; most creations need none.
import { isFirstTimeRecipient, payoutTotalOfDay } from "@/server/db/payout-facts";
import type { PolicyFact, PolicyFacts, PolicySubject } from "@/server/domain/approval-policy";
import type { Scope } from "@/server/domain/scope";
import { accountDigests } from "../account-numbers";

export interface Recipient {
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly holderName: string;
}

/** Returns placeholder facts for a policy that needs none. */
export function noFacts({ amount }: PolicySubject): PolicyFacts {
  return { isFirstTimeRecipient: false, dailyTotal: amount };
}

/** Returns the needed facts about a payout created on that UTC day, as of now. */
export async function readFacts(
  scope: Scope,
  needed: ReadonlySet<PolicyFact>,
  subject: PolicySubject,
  recipient: Recipient,
  day: Date,
): Promise<PolicyFacts> {
  const { accountNumber, bankCode, holderName } = recipient;
  const known = { accountDigests: accountDigests(scope.merchantId, accountNumber), bankCode, holderName };
  const [firstTime, before] = await Promise.all([
    needed.has("isFirstTimeRecipient") && isFirstTimeRecipient(scope, known),
    needed.has("dailyTotal") ? payoutTotalOfDay(scope, subject.currency, day) : 0n,
  ]);
  return { isFirstTimeRecipient: firstTime, dailyTotal: before + subject.amount };
}
