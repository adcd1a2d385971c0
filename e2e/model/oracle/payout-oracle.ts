// What must become of a payout: held, released once, or gone once; what came back is the merchant's again.
import type { Asked } from "../world/history";
import type { Report } from "../world/reports";
import { type Expectation, type Observation, Sums } from "./observation";

export class PayoutOracle {
  readonly #asked: Asked;
  #status = "requires_approval";
  #failureCode: string | null = null;
  #isKnownToProvider = false;
  /** A provider reported it at the gate, although it was never sent: people end it. */
  #isReportedAtGate = false;
  #returned = 0n;
  readonly #suspense = new Sums();
  /** Movements that were already taken into account, by their names. */
  readonly #known = new Set<string>();
  readonly #exceptions = new Set<string>();
  readonly #tolerated = new Set<string>(["stuck"]);

  #approvalsMissing: number;

  constructor(asked: Asked, approvals: number) {
    this.#asked = asked;
    this.#approvalsMissing = approvals;
  }

  approve(): void {
    if (this.#status !== "requires_approval") return;
    this.#approvalsMissing -= 1;
    if (this.#approvalsMissing === 0) this.#status = "processing";
  }

  /** The merchant cancels, or nobody approved in time. */
  cancel(): void {
    if (this.#status === "requires_approval" && !this.#isReportedAtGate) this.#end("cancelled", "cancelled");
  }

  observe({ answer, isFormer, isLastWord }: Observation): void {
    if (answer.kind === "refusal") {
      this.#refused(answer.code, isLastWord);
      return;
    }
    if (answer.kind !== "report") return;
    if (isFormer) this.#leftFromSuspense(answer.report, "former");
    else this.#reported(answer.report);
  }

  rested(): void {
    if (this.#status === "processing") this.#exceptions.add("stuck");
  }

  expectation(): Expectation {
    const isOpen = this.#status === "requires_approval" || this.#status === "processing";
    const left = this.#status === "succeeded" ? this.#asked.amount : 0n;
    return {
      statuses: [this.#status],
      failureCode: this.#failureCode,
      wallet: this.#returned - left,
      held: isOpen ? this.#asked.amount : 0n,
      suspense: this.#suspense.all(),
      exceptions: [...this.#exceptions],
      tolerated: [...this.#tolerated],
    };
  }

  #end(status: string, failureCode: string | null): void {
    this.#status = status;
    this.#failureCode = failureCode;
  }

  #reported(report: Report): void {
    if (this.#status === "requires_approval") {
      this.#reportedAtGate(report);
      return;
    }
    // Acceptance of what was never sent, or was denied before, contradicts what the provider can know.
    const isUnexpected = this.#status === "cancelled" || this.#failureCode === "provider_unavailable";
    if (isUnexpected && report.status === "pending") this.#exceptions.add("contradiction");
    this.#isKnownToProvider = true;
    if (report.status === "settled") this.#settled(report);
    else if (report.status === "returned") this.#cameBack(report);
    else if (this.#status === "processing" && report.status === "declined") this.#end("failed", "provider_declined");
    else if (this.#status === "processing" && report.status === "invalid_recipient")
      this.#end("failed", "invalid_recipient");
  }

  #reportedAtGate({ status }: Report): void {
    if (!["pending", "settled", "returned"].includes(status)) return;
    this.#isReportedAtGate = true;
    this.#exceptions.add("contradiction");
  }

  #settled(report: Report): void {
    const isRight = report.amount === this.#asked.amount.toString() && report.currency === this.#asked.currency;
    if (this.#status === "processing") {
      if (isRight) this.#end("succeeded", null);
      // The provider contradicts the payout: nothing moves until a person has found out why.
      else this.#exceptions.add("contradiction");
    } else if (this.#status === "succeeded") {
      if (!isRight) this.#exceptions.add("contradiction");
    } else this.#leftFromSuspense(report, "own");
  }

  /** Money left although its hold was given back: suspense owes it. */
  #leftFromSuspense({ amount = "0", currency = "", provider_reference = "" }: Report, whose: string): void {
    const key = `${whose} left ${provider_reference} ${amount} ${currency}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#exceptions.add("late_money");
    this.#suspense.add(currency, -BigInt(amount));
  }

  #cameBack({ amount: text = "0", currency = "", provider_reference = "" }: Report): void {
    const amount = BigInt(text);
    if (this.#status === "processing") this.#end("succeeded", null);
    if (this.#known.has(`returned ${provider_reference}`)) return;
    this.#known.add(`returned ${provider_reference}`);
    if (this.#status !== "succeeded") {
      this.#exceptions.add("late_money");
      this.#suspense.add(currency, amount);
    } else if (this.#returned + amount > this.#asked.amount) {
      this.#exceptions.add("amount_mismatch");
      this.#suspense.add(currency, amount);
    } else {
      this.#exceptions.add("bank_return");
      this.#returned += amount;
    }
  }

  #refused(code: string, isLastWord: boolean): void {
    if (this.#status !== "processing") return;
    if (code === "declined") this.#end("failed", "provider_declined");
    else if (code === "invalid_recipient") this.#end("failed", "invalid_recipient");
    else if (this.#isKnownToProvider) this.#exceptions.add("contradiction");
    else if (isLastWord) this.#end("failed", "provider_unavailable");
  }
}
