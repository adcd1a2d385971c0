// Owns the fake provider's misbehaviour: rules that tests set, each for some calls, some number of times.
import type { Kind } from "./wire";

export const MODES = [
  /** Executes, then drops the connection before it answers. */
  "execute_then_drop",
  /** Executes, then never answers. */
  "execute_then_hang",
  /** Executes, then answers with an HTML page. */
  "garbage",
  /** Executes at once and answers after `ms`. */
  "delay",
  /** Drops the connection without executing. */
  "drop",
  /** Neither executes nor answers. */
  "hang",
  /** Answers 500 without executing. */
  "server_error",
  /** Refuses for good: 422 and the protocol's `declined`. */
  "decline",
  /** Refuses a payout for its account: 422 and `invalid_recipient`. */
  "invalid_recipient",
  /** Refuses before accepting: 400 and `not_accepted`. */
  "not_accept",
  /** Has forgotten the reference: does not know it when asked, and executes a payout anew when it is sent again. */
  "forget",
  /** The payer pays just before a cancel call arrives, which then comes too late. */
  "pay_first",
] as const;
export type Mode = (typeof MODES)[number];

type Operation = "create" | "query" | "cancel";

export interface Rule {
  readonly mode: Mode;
  readonly ms?: number;
  /** Which calls it applies to; each left out means all. */
  readonly kind?: Kind;
  readonly operation?: Operation;
  readonly reference?: string;
  /** Goes before the rules that are there already. */
  readonly first?: boolean;
  /** How many calls it applies to; left out means all that come. */
  times?: number;
}

export class Faults {
  private rules: Rule[] = [];

  add(rule: Rule): void {
    if (rule.first) this.rules.unshift(rule);
    else this.rules.push(rule);
  }

  clear(): void {
    this.rules = [];
  }

  /** The first rule that applies to a call, used up by one; null to behave. */
  take(call: { kind: Kind; operation: Operation; reference: string }): Rule | null {
    const rule = this.rules.find(
      (candidate) =>
        (candidate.kind ?? call.kind) === call.kind &&
        (candidate.operation ?? call.operation) === call.operation &&
        (candidate.reference ?? call.reference) === call.reference,
    );
    if (!rule) return null;
    if (rule.times !== undefined) {
      rule.times -= 1;
      if (rule.times <= 0) this.rules = this.rules.filter((other) => other !== rule);
    }
    return rule;
  }
}
