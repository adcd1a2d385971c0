// The end of a payer's window: the intent is closed at its provider where the provider can do that, and then expires.
import type { PaymentOutcome, PayoutOutcome, TopupOutcome, Unknown } from "@/server/domain/outcome";
import type { CallContext } from "@/server/domain/scope";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import type { Gateway } from "@/server/psp/gateway";
import { callProvider } from "./call";
import { recordAnswer } from "./record-answer";
import { requireGateway } from "./require-gateway";
import { type IntentKind, recordTransition } from "./transition";

type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

/** How intents of one kind end when their payer's time is up. */
export interface EndOfWindow<Intent, Outcome> {
  readonly kind: IntentKind<Intent>;
  /** The merchant's. */
  readonly clock: Clock;
  /** When the payer's time is up; null when the intent does not expire. */
  deadline(current: Intent): Date | null;
  /** The call that closes the intent at the provider; null when the provider has none. */
  cancel(gateway: Gateway): ((current: Intent, signal: AbortSignal) => Promise<Outcome>) | null;
  decide(current: Intent, outcome: Outcome, at: Date, answeredAt: Date): Decision<Intent & IntentCore<string>>;
  decideExpiry(current: Intent, at: Date): Decision<Intent & IntentCore<string>>;
}

interface Ended<Intent> {
  readonly intent: Intent;
  /** When to try the cancel call again; null when it is settled. */
  readonly cancelAgainAt: Date | null;
}

/** While the provider does not confirm that the intent is closed, it is cancelled again this often and this long. */
const CANCEL_AGAIN_MS = 15_000;
const CANCEL_FOR_MS = 60_000;

/** Answers to a cancel call that change nothing: none at all, or that the intent can still be paid. */
const WITHOUT_RESULT: ReadonlySet<AnyOutcome["kind"]> = new Set([
  "unknown",
  "not_sent",
  "never_accepted",
  "requires_action",
  "instructions",
]);

/**
 * Ends an intent whose payer's time is up and whose provider, polled just before, reported nothing that keeps it open. A
 * provider that can cancel closes it first. What the provider answers is recorded like any report, so an intent that was paid
 * in the meantime does not expire. One that the provider does not confirm as closed stays open for a minute, then expires.
 */
export async function endWindow<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: EndOfWindow<Intent, Outcome>,
  intent: Intent & { readonly provider: string },
  context: CallContext,
): Promise<Ended<Intent>> {
  if (!isOver(subject, intent)) return { intent, cancelAgainAt: null };
  const answer = await cancelAtProvider(subject, intent);
  const { kind, clock } = subject;
  let current: Intent = intent;
  if (answer && hasResult(answer)) {
    const decide = (latest: Intent, at: Date, answeredAt: Date) =>
      subject.decide(latest, asExpired(answer), at, answeredAt);
    current = (await recordAnswer<Intent>({ kind, intent, context, clock, decide, attempt: null })).intent;
  }
  const at = clock();
  if (!isOver(subject, current)) return { intent: current, cancelAgainAt: null };
  const isClosed = answer === null || answer.kind === "never_accepted";
  if (!isClosed && !isOver(subject, current, CANCEL_FOR_MS)) {
    return { intent: current, cancelAgainAt: new Date(at.getTime() + CANCEL_AGAIN_MS) };
  }
  const decideNow = (latest: Intent) => subject.decideExpiry(latest, at);
  const expired = await recordTransition<Intent>(kind, current, decideNow, { context, at });
  return { intent: expired.intent, cancelAgainAt: null };
}

/** True while the intent is open and its deadline passed at least `byMs` ago. */
function isOver<Intent extends IntentCore<string>>(
  subject: Pick<EndOfWindow<Intent, never>, "deadline" | "clock">,
  intent: Intent,
  byMs = 0,
): boolean {
  const deadline = intent.dueAt === null ? null : subject.deadline(intent);
  return deadline !== null && deadline.getTime() + byMs <= subject.clock().getTime();
}

/** The provider's answer to the cancel call; null when it has no such call. */
async function cancelAtProvider<Intent extends IntentCore<string>, Outcome extends AnyOutcome>(
  subject: EndOfWindow<Intent, Outcome>,
  intent: Intent & { readonly provider: string },
): Promise<Outcome | Unknown | null> {
  const cancel = subject.cancel(requireGateway(intent));
  if (!cancel) return null;
  const answer = await callProvider<Outcome>(intent.provider, (signal) => cancel(intent, signal));
  log().info(
    { intentId: intent.id, provider: intent.provider, answer: answer.kind },
    "the provider was asked to cancel",
  );
  return answer;
}

function hasResult<Outcome extends AnyOutcome>(answer: Outcome | Unknown): answer is Outcome {
  return !WITHOUT_RESULT.has(answer.kind);
}

/** A payment that is cancelled because its time is up has expired; its payer cancelled nothing. */
function asExpired<Outcome extends AnyOutcome>(answer: Outcome): Outcome {
  return answer.kind === "cancelled" ? { ...answer, kind: "expired" } : answer;
}
