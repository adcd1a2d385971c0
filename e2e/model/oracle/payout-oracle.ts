// The required course of a payout: held, then released once or paid once; returns credit the merchant.
import type { Asked } from "../world/history";
import type { Report } from "../world/reports";
import { type Expectation, type Observation, Sums } from "./observation";

/** Money that left after its hold was released, or by a former provider; booked once. */
interface Movement {
  readonly isFormer: boolean;
  readonly reference: string | null;
  readonly amount: string;
  readonly currency: string;
}

export class PayoutOracle {
  readonly #asked: Asked;
  #status = "requires_approval";
  #failureCode: string | null = null;
  #isKnownToProvider = false;
  /** A provider reported it at the gate, although it was never sent: people end it. */
  #isReportedAtGate = false;
  /** Another amount was reported as settled: from then on only two people can fail it. */
  #isSettlementDisputed = false;
  /** A former provider reports on it: from then on the current provider's refusal does not release the hold. */
  #isFormerAtWork = false;
  /** The provider's reference of the settlement that ended it; null if it had none, or a return ended it. */
  #settledUnder: string | null = null;
  /** Another reference under which it was reported settled later. */
  #settledLaterUnder: string | null = null;
  #returned = 0n;
  readonly #suspense = new Sums();
  readonly #left: Movement[] = [];
  /** References of the returns that have been processed. */
  readonly #returns = new Set<string>();
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

  /** The merchant cancels, or the approval lapses. */
  cancel(): void {
    if (this.#status === "requires_approval" && !this.#isReportedAtGate) this.#end("cancelled", "cancelled");
  }

  /** Screening ends a payout that no provider can have. A report from before its approval says that one may have it. */
  refuse(): void {
    if (this.#status === "processing" && !this.#isReportedAtGate) this.#end("cancelled", "cancelled");
  }

  observe({ answer, isFormer, isLastWord }: Observation): void {
    if (answer.kind === "refusal") {
      this.#refused(answer.code, isLastWord);
      return;
    }
    if (answer.kind !== "report") return;
    if (isFormer) this.#formerReported(answer.report);
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
    // Acceptance of a payout that was never sent, or was denied before, is contradictory.
    const isUnexpected = this.#status === "cancelled" || this.#failureCode === "provider_unavailable";
    if (isUnexpected && report.status === "pending") this.#exceptions.add("contradiction");
    this.#isKnownToProvider = true;
    if (report.status === "settled") this.#settled(report);
    else if (report.status === "returned") this.#cameBack(report);
    else if (report.status === "declined") this.#fail("provider_declined");
    else if (report.status === "invalid_recipient") this.#fail("invalid_recipient");
  }

  /** Releases the hold, unless a report shows that the money may have left. */
  #fail(failureCode: string): void {
    if (this.#status !== "processing" || this.#isSettlementDisputed || this.#isFormerAtWork) return;
    this.#end("failed", failureCode);
  }

  #reportedAtGate({ status }: Report): void {
    if (!["pending", "settled", "returned"].includes(status)) return;
    this.#isReportedAtGate = true;
    if (status === "settled") this.#isSettlementDisputed = true;
    this.#exceptions.add("contradiction");
  }

  #settled(report: Report): void {
    const { amount, currency, provider_reference: reference = null } = report;
    const isRight = amount === this.#asked.amount.toString() && currency === this.#asked.currency;
    if (this.#status === "processing") {
      if (isRight) {
        this.#settledUnder = reference;
        this.#end("succeeded", null);
        return;
      }
      // The provider contradicts the payout: nothing moves until a person has investigated.
      this.#isSettlementDisputed = true;
      this.#exceptions.add("contradiction");
    } else if (this.#status === "succeeded") {
      if (!isRight) this.#exceptions.add("contradiction");
      else this.#settledAgain(reference);
    } else this.#leftFromSuspense(report, false);
  }

  /** A second reference can mean a second payment. If the first report had no reference, the docs leave it open. */
  #settledAgain(reference: string | null): void {
    if (reference === null || reference === this.#settledUnder) return;
    if (this.#settledUnder !== null) this.#exceptions.add("contradiction");
    else if ((this.#settledLaterUnder ??= reference) !== reference) this.#tolerated.add("contradiction");
  }

  /** Suspense owes the money that left. A report of money that may be booked already books nothing and opens an exception. */
  #leftFromSuspense(report: Report, isFormer: boolean): void {
    const { amount = "0", currency = "", provider_reference: reference = null } = report;
    const booked = this.#left.filter((one) => one.isFormer === isFormer);
    const isEqual = (one: Movement) => one.amount === amount && one.currency === currency;
    const namesakes = booked.filter((one) => one.reference === reference);
    if (namesakes.some(isEqual)) return;
    const isSecondSum = reference !== null && namesakes.length > 0;
    const isUnnamed = booked.some((one) => isEqual(one) && (reference === null || one.reference === null));
    if (isSecondSum || isUnnamed) {
      this.#exceptions.add("ambiguous_receipt");
      return;
    }
    this.#left.push({ isFormer, reference, amount, currency });
    this.#exceptions.add("late_money");
    this.#suspense.add(currency, -BigInt(amount));
  }

  #cameBack({ amount: text = "0", currency = "", provider_reference = "" }: Report): void {
    const amount = BigInt(text);
    if (this.#status === "processing") this.#end("succeeded", null);
    if (this.#returns.has(provider_reference)) return;
    this.#returns.add(provider_reference);
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

  /** The provider that refused the payout may have executed it besides the current one. */
  #formerReported(report: Report): void {
    this.#isKnownToProvider = true;
    this.#isFormerAtWork = true;
    if (report.status === "settled") this.#leftFromSuspense(report, true);
    else this.#exceptions.add("contradiction");
  }

  #refused(code: string, isLastWord: boolean): void {
    if (this.#status !== "processing") return;
    if (code === "declined") this.#fail("provider_declined");
    else if (code === "invalid_recipient") this.#fail("invalid_recipient");
    else if (this.#isKnownToProvider) this.#exceptions.add("contradiction");
    else if (isLastWord) this.#fail("provider_unavailable");
  }
}
