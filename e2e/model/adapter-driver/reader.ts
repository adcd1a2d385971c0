// What the readers of all providers' answers have in common.
import type { Asked } from "../world/history";
import type { Answer, Report } from "../world/reports";
import type { Heard } from "./adapted";

export const SILENCE: Answer = { kind: "silence" };
export const NO_NEWS: Answer = { kind: "no_news" };
export const GARBAGE: Answer = { kind: "garbage" };

export function reported(status: string, more: Partial<Report> = {}): Answer {
  return { kind: "report", report: { status, ...more }, fact: 0 };
}

/** Reads the calls about one intent: what each answer means by the provider's page in docs/providers. */
export abstract class ProviderReader {
  protected readonly asked: Pick<Asked, "amount" | "currency">;
  /** True if a creation call can have arrived, so that a refusal proves nothing. */
  protected isDoubtful = false;
  /** True once the service knows something of the intent: from then on only changes are reported. */
  protected isAnswered = false;
  listener: (heard: Heard) => void = () => undefined;
  /** What the service asked for that is not what the merchant wanted. */
  readonly wrongRequests: string[] = [];

  constructor(asked: Pick<Asked, "amount" | "currency">) {
    this.asked = asked;
  }

  protected heard(call: Heard["call"], answer: Heard["answer"]): void {
    if (answer.kind === "report") this.isAnswered = true;
    this.listener({ call, answer });
  }

  /** The answer to a creation, by what its object means. */
  protected created(meaning: () => Heard["answer"]): Heard["answer"] {
    this.isDoubtful = true;
    this.isAnswered = false;
    const answer = meaning();
    return answer.kind === "no_news" ? SILENCE : answer;
  }

  /** A refusal proves that a call created nothing, but nothing about the calls before it. */
  protected refused(isRefusal: boolean): Answer {
    if (isRefusal && !this.isDoubtful) return { kind: "refusal", code: "not_accepted" };
    this.isDoubtful = true;
    return SILENCE;
  }
}
