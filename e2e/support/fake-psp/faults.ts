// The fake provider's misbehavior: rules that tests set for some calls, a limited number of times.
import type { Kind } from "./wire";

export const MODES = [
  /** Executes, then drops the connection before it answers. */
  "execute_then_drop",
  /** Executes, then never answers. */
  "execute_then_hang",
  /** Executes, then answers with an HTML page. */
  "garbage",
  /** Executes immediately and answers after `ms`. */
  "delay",
  /** Drops the connection without executing. */
  "drop",
  /** Neither executes nor answers. */
  "hang",
  /** Answers 500 without executing. */
  "server_error",
  /** Declines for good: 422 and the protocol's `declined`. */
  "decline",
  /** Rejects a payout for its account: 422 and `invalid_recipient`. */
  "invalid_recipient",
  /** Rejects before accepting: 400 and `not_accepted`. */
  "not_accept",
  /** Forgets the reference: a poll does not find it, and a repeated payout is executed again. */
  "forget",
  /** The payer pays just before a cancel call arrives, which is then too late. */
  "pay_first",
] as const;
export type Mode = (typeof MODES)[number];

type Operation = "create" | "query" | "cancel";

export interface Rule {
  readonly mode: Mode;
  readonly ms?: number;
  /** The calls that it applies to; an omitted member matches all. */
  readonly kind?: Kind;
  readonly operation?: Operation;
  readonly reference?: string;
  /** Takes precedence over the existing rules. */
  readonly first?: boolean;
  /** How many calls it applies to; all if omitted. */
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

  /** Returns the first rule that applies to a call and uses it up by one; null for correct behavior. */
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
