// The next poll of an intent that a report leaves open.
import type { Decision, IntentCore } from "@/server/domain/transition";

/** The decision, with the next poll of its intent, if that stays open, as `nextPollAt` says. */
export function withNextPoll<Intent extends IntentCore<string>>(
  decision: Decision<Intent>,
  nextPollAt: (intent: Intent, at: Date) => Date,
): Decision<Intent> {
  if (decision.kind !== "planned" || decision.plan.after.dueAt === null) return decision;
  const { plan } = decision;
  const { after } = plan;
  return { kind: "planned", plan: { ...plan, after: { ...after, dueAt: nextPollAt(after, after.updatedAt) } } };
}
