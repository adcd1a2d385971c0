// What BTCPay's answers mean, and what the service may ask for, by docs/providers/btcpay.md.
import type { Invoice, Payment } from "../../support/fake-btcpay/objects";
import type { SeenCall } from "../../support/hostile-provider/server";
import type { Answer, Report } from "../world/reports";
import type { Heard } from "./adapted";
import { NO_NEWS, ProviderReader, reported, SILENCE } from "./reader";

type Shown = Pick<Invoice, "id" | "status" | "additionalStatus" | "createdTime">;
type Method = { readonly payments: readonly Payment[] };

const TRUSTED = ["None", "PaidPartial", "PaidOver", "PaidLate"];
const DIGITS = 6;

/** Minor units of a decimal of USDT, exact in the histories. */
function unitsOf(value: string): bigint {
  const [whole = "0", fraction = ""] = value.split(".");
  return BigInt(whole + fraction.padEnd(DIGITS, "0").slice(0, DIGITS));
}

/**
 * Reads the calls about one top-up. A poll lists the invoices and then reads their payments, a creation reads the address of
 * its invoice: several calls have one meaning.
 */
export class BtcpayReader extends ProviderReader {
  /** The invoice whose payments the next call reads, and the call that it belongs to. */
  #open: { readonly by: Heard["call"]; readonly invoice: Shown } | null = null;
  /** True if the list of the present round was empty: a further list is the look before a repeated creation. */
  #isCreating = false;

  /** A round of the worker, or of callbacks, begins. */
  begin(): void {
    this.#isCreating = false;
    this.#open = null;
  }

  read({ method, path, body, answer }: SeenCall): void {
    if (path.includes("/rates?")) return;
    const data = answer?.status === 200 ? answer.body : null;
    if (method === "POST") {
      this.#check(body as Readonly<Record<string, unknown>>);
      if (!data) return this.heard("create", this.refused(answer?.status === 422));
      this.isDoubtful = true;
      this.#open = { by: "create", invoice: data as Shown };
    } else if (path.includes("orderId=")) this.#listed(data as readonly Shown[] | null);
    else this.#read(data as readonly Method[] | null);
  }

  #listed(list: readonly Shown[] | null): void {
    const [invoice] = list ?? [];
    if (invoice) this.#open = { by: this.#isCreating ? "create" : "query", invoice };
    else if (this.#isCreating) {
      if (!list) this.heard("create", { kind: "unsent" });
    } else if (!list || this.isAnswered) this.heard("query", SILENCE);
    else {
      this.#isCreating = true;
      this.heard("query", { kind: "refusal", code: "unknown_reference" });
    }
  }

  /** An invoice without its address or payments: after a creation it is known to exist. */
  #read(methods: readonly Method[] | null): void {
    const { by, invoice } = this.#open ?? { by: "query" as const, invoice: null };
    this.#open = null;
    if (!methods || !invoice) return this.heard(by, by === "create" ? reported("pending") : SILENCE);
    if (by === "create") return this.heard(by, reported("requires_action"));
    const reports = this.#reportsOf(invoice, methods);
    const last = reports?.at(-1);
    const answer: Answer = last ? { kind: "report", report: last, fact: 0 } : NO_NEWS;
    if (!reports) return this.heard(by, SILENCE);
    if (last) this.isAnswered = true;
    this.listener({ call: by, answer, before: reports.slice(0, -1) });
  }

  /** Null if a person must judge the invoice. */
  #reportsOf({ status, additionalStatus }: Shown, methods: readonly Method[]): Report[] | null {
    if (status === "Invalid" || !TRUSTED.includes(additionalStatus)) return null;
    const payments = methods.flatMap((one) => one.payments);
    const total = (...some: readonly string[]) =>
      payments.reduce((sum, one) => (some.includes(one.status) ? sum + unitsOf(one.value) : sum), 0n);
    const [all, confirmed] = [total("Processing", "Settled"), total("Settled")];
    const { currency } = this.asked;
    const funds = (amount: bigint, isConfirmed: boolean): Report => ({
      status: "funds_seen",
      amount: amount.toString(),
      currency,
      confirmed: isConfirmed,
    });
    const gone: Report = { status: "funds_dropped", amount: all.toString(), currency };
    return [
      ...(status === "New" ? [{ status: "requires_action" }] : []),
      ...(all > confirmed ? [funds(all, false)] : []),
      ...(confirmed > 0n ? [funds(confirmed, true)] : []),
      ...(payments.some((one) => one.status === "Invalid") ? [gone] : []),
      ...(all === 0n && status === "Expired" ? [{ status: "expired" }] : []),
    ];
  }

  /** Compares what the service asked for with what the merchant wanted. */
  #check({ amount, currency, checkout }: Readonly<Record<string, unknown>>): void {
    const { paymentMethods } = checkout as { readonly paymentMethods: readonly string[] };
    const isOurs = unitsOf(String(amount)) === this.asked.amount && currency === this.asked.currency;
    if (!isOurs || paymentMethods.join() !== "USDt-CHAIN") {
      this.wrongRequests.push(`BTCPay was asked for ${JSON.stringify({ amount, currency, paymentMethods })}`);
    }
  }
}
