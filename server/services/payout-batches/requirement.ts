import { factsNeeded, requirementOf } from "@/server/domain/approval-policy";
import type { BatchLine } from "@/server/domain/payout-batch";
import type { Scope } from "@/server/domain/scope";
import { activePolicy } from "../approval-policies/active";
import { merchantClock } from "../merchants/settings";
import { noFacts, readFacts } from "../payouts/policy-facts";
import { openRecipientAccount } from "../recipients/accounts";
import { getRecipient } from "../recipients/save";

/**
 * Returns how many approvals the strictest new line of a batch requires, 0 to 3. The lines before a line count towards the
 * day's total, as they will when they are created.
 */
export async function strictestApprovals(scope: Scope, lines: readonly BatchLine[]): Promise<number> {
  const [{ policy }, clock] = await Promise.all([activePolicy(scope), merchantClock(scope)]);
  const before = new Map<string, bigint>();
  let strictest = 0;
  for (const { verdict, recipientId, amount, currency } of lines) {
    if (verdict !== "create" || recipientId === null || amount === null) continue;
    const recipient = await getRecipient(scope, recipientId);
    const subject = { amount, currency, country: recipient.country };
    const needed = factsNeeded(policy, subject);
    const typed = { ...recipient, accountNumber: openRecipientAccount(recipient) };
    const facts = needed.size === 0 ? noFacts(subject) : await readFacts(scope, needed, subject, typed, clock());
    const earlier = before.get(currency) ?? 0n;
    const { approvals } = requirementOf(policy, subject, { ...facts, dailyTotal: facts.dailyTotal + earlier });
    strictest = Math.max(strictest, approvals);
    before.set(currency, earlier + amount);
  }
  return strictest;
}
