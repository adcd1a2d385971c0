// The required course of a payment, derived from the provider protocol and the interface document.
import type { Asked } from "../world/history";
import type { Report } from "../world/reports";
import { type Expectation, type Observation, Sums } from "./observation";

/** Booked money. */
interface Receipt {
  readonly isFormer: boolean;
  readonly id: string | null;
  readonly reference: string | null;
  readonly amount: string;
  readonly currency: string;
}

const ENDS: Readonly<Record<string, readonly [string, string]>> = {
  declined: ["failed", "provider_declined"],
  cancelled: ["failed", "cancelled"],
  expired: ["expired", "expired"],
};

function receiptOf(report: Report, isFormer: boolean): Receipt {
  const { amount = "0", currency = "", provider_reference: reference = null, receipt_id: id = null } = report;
  return { isFormer, id, reference, amount, currency };
}

export class PaymentOracle {
  readonly #asked: Asked;
  readonly #protocol: 1 | 2;
  #status = "processing";
  #failureCode: string | null = null;
  /** The tick of the report that the payer has acted; null while the payer must act. */
  #payerActedAt: number | null = null;
  #isKnownToProvider = false;
  #wallet = 0n;
  readonly #suspense = new Sums();
  readonly #receipts: Receipt[] = [];
  readonly #exceptions = new Set<string>();
  readonly #tolerated = new Set<string>(["stuck"]);

  constructor(asked: Asked, protocol: 1 | 2) {
    this.#asked = asked;
    this.#protocol = protocol;
  }

  observe({ answer, tick, isFormer, isLastWord }: Observation): void {
    if (answer.kind === "refusal") {
      this.#refused(answer.code, isLastWord);
      return;
    }
    if (answer.kind !== "report") return;
    const { report } = answer;
    if (isFormer) {
      this.#formerReported(report);
      return;
    }
    // Acceptance reported after the provider had denied it contradicts the provider's own word.
    if (this.#failureCode === "provider_unavailable") this.#tolerated.add("contradiction");
    this.#isKnownToProvider = true;
    if (report.status === "succeeded") this.#received(report);
    else if (this.#isOpen()) this.#moved(report, tick);
  }

  /** The service polled at or after the end of the window and received a clear answer, already observed. */
  windowEnded(): void {
    if (this.#isOpen() && this.#payerActedAt === null) this.#end("expired", "expired");
  }

  /** Nothing more will happen: whatever is still open needs a person. */
  rested(): void {
    if (this.#isOpen()) this.#exceptions.add("stuck");
  }

  expectation(): Expectation {
    return {
      statuses: [this.#status],
      failureCode: this.#failureCode,
      wallet: this.#wallet,
      held: 0n,
      suspense: this.#suspense.all(),
      exceptions: [...this.#exceptions],
      tolerated: [...this.#tolerated],
    };
  }

  #isOpen(): boolean {
    return this.#status === "processing" || this.#status === "requires_action";
  }

  #end(status: string, failureCode: string | null): void {
    this.#status = status;
    this.#failureCode = failureCode;
  }

  #moved({ status }: Report, tick: number): void {
    const end = ENDS[status];
    if (end) this.#end(...end);
    else if (status === "pending") {
      this.#payerActedAt ??= tick;
      this.#status = "processing";
    } else if (this.#payerActedAt === null || tick > this.#payerActedAt) {
      // Only a call that began after the payer had acted can report that the payer must act again.
      this.#payerActedAt = null;
      this.#status = "requires_action";
    }
  }

  #received(report: Report): void {
    const receipt = receiptOf(report, false);
    if (this.#isDuplicate(receipt)) return;
    const { amount, currency } = receipt;
    const isRight = amount === this.#asked.amount.toString() && currency === this.#asked.currency;
    if (!this.#isOpen() || !isRight) {
      this.#keep(receipt, this.#isOpen() ? "amount_mismatch" : "late_money");
      return;
    }
    this.#receipts.push(receipt);
    this.#end("succeeded", null);
    this.#wallet += this.#asked.amount;
  }

  #keep(receipt: Receipt, exception: string): void {
    this.#receipts.push(receipt);
    this.#exceptions.add(exception);
    this.#suspense.add(receipt.currency, BigInt(receipt.amount));
  }

  /**
   * Version 2: one id is one receipt; a second amount for it is ambiguous. Version 1: one reference and amount; an
   * equal amount under another name is ambiguous. Only receipts of one provider are compared.
   */
  #isDuplicate(receipt: Receipt): boolean {
    const booked = this.#receipts.filter(({ isFormer }) => isFormer === receipt.isFormer);
    const isEqual = ({ amount, currency }: Receipt) => amount === receipt.amount && currency === receipt.currency;
    if (this.#protocol === 2) {
      const namesakes = booked.filter(({ id }) => id === receipt.id);
      if (namesakes.length > 0 && !namesakes.some(isEqual)) this.#exceptions.add("ambiguous_receipt");
      return namesakes.length > 0;
    }
    const alike = booked.filter(isEqual);
    if (alike.length === 0) return false;
    const isSame = alike.some(({ reference }) => reference === receipt.reference);
    if (!isSame) this.#exceptions.add("ambiguous_receipt");
    else if (receipt.reference === null) this.#tolerated.add("ambiguous_receipt");
    return true;
  }

  /**
   * Money of a former provider goes to suspense. After its report, a denial by the current one does not end the
   * payment.
   */
  #formerReported(report: Report): void {
    this.#isKnownToProvider = true;
    if (report.status !== "succeeded") {
      this.#exceptions.add("contradiction");
      return;
    }
    const receipt = receiptOf(report, true);
    if (!this.#isDuplicate(receipt)) this.#keep(receipt, "late_money");
  }

  #refused(code: string, isLastWord: boolean): void {
    if (!this.#isOpen()) return;
    if (code === "declined") this.#end("failed", "provider_declined");
    else if (this.#isKnownToProvider) this.#exceptions.add("contradiction");
    else if (isLastWord) this.#end("failed", "provider_unavailable");
  }
}
