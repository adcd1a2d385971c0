// What Paystack's answers mean, and what the service may ask for, by docs/providers/paystack.md.
import type { Account } from "../../support/fake-paystack/book";
import type { SeenCall } from "../../support/hostile-provider/server";
import type { Asked, Kind } from "../world/history";
import type { Answer } from "../world/reports";
import { type Heard, PAYEE } from "./adapted";
import { GARBAGE, ProviderReader, reported } from "./reader";

const OPEN = ["abandoned", "failed", "ongoing", "pending", "processing", "queued"];
const DECLINED = ["failed", "abandoned", "blocked", "rejected"];

type Body = Readonly<Record<string, unknown>>;

interface Found {
  readonly id: number;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly transfer_code: string;
}

interface Envelope {
  readonly status: boolean;
  readonly message: string;
  readonly code?: string;
  readonly data?: Found;
}

/** Reads the calls about one intent. */
export class PaystackReader extends ProviderReader {
  readonly #kind: Kind;
  readonly #account: Account;

  constructor(account: Account, kind: Kind, asked: Pick<Asked, "amount" | "currency">) {
    super(asked);
    this.#account = account;
    this.#kind = kind;
  }

  read({ method, path, body, answer }: SeenCall): void {
    if (method === "POST") this.#check(body as Body);
    const envelope = (answer?.body ?? null) as Envelope | null;
    const isGood = envelope?.status === true;
    switch (`${method} ${path.split("/").slice(0, 3).join("/")}`) {
      case "POST /transferrecipient":
        // No transfer follows: there is no recipient, or it is another account.
        if (!isGood || this.#account.recipients[0]?.bank !== PAYEE.bankCode) this.heard("create", { kind: "unsent" });
        return;
      case "POST /transaction/initialize":
        return this.heard("create", isGood ? reported("requires_action") : this.refused(isRefusal(envelope)));
      case "POST /transfer":
        return this.heard("create", isGood ? this.#meaning(envelope?.data) : this.refused(isRefusal(envelope)));
      case "GET /transaction/verify":
      case "GET /transfer/verify":
        return this.heard("query", isGood ? this.#meaning(envelope?.data) : notFound(envelope));
    }
  }

  /** Compares what the service asked for with what the merchant wanted. */
  #check({ amount, currency, recipient }: Body): void {
    const { amount: sum, currency: ours } = this.asked;
    const isOurSum = (amount === undefined || amount === Number(sum)) && currency === ours;
    if (!isOurSum) this.wrongRequests.push(`Paystack was asked for ${JSON.stringify({ amount, currency })}`);
    const payee = this.#account.recipients.find(({ code }) => code === recipient);
    if (payee && (payee.account !== PAYEE.accountNumber || payee.bank !== PAYEE.bankCode)) {
      this.wrongRequests.push(`the transfer goes to ${payee.account} at ${payee.bank}`);
    }
  }

  #meaning(found: Found | undefined): Heard["answer"] {
    this.isDoubtful = true;
    if (!found) return GARBAGE;
    const { status, currency } = found;
    const sum = { amount: found.amount.toString(), currency };
    const isOurs = currency === this.asked.currency;
    if (this.#kind === "payment") {
      if (OPEN.includes(status)) return { kind: "no_news" };
      if (status !== "success") return GARBAGE;
      const id = found.id.toString();
      return isOurs
        ? reported("succeeded", { ...sum, provider_reference: id, receipt_id: id })
        : { kind: "other_object" };
    }
    if (!isOurs || sum.amount !== this.asked.amount.toString()) return { kind: "other_object" };
    const named = { provider_reference: found.transfer_code };
    if (DECLINED.includes(status)) return reported("declined", named);
    if (status === "success") return reported("settled", { ...sum, ...named });
    if (status === "reversed") return reported("returned", { ...sum, ...named });
    return ["pending", "received"].includes(status) ? reported("pending", named) : GARBAGE;
  }
}

function isRefusal(envelope: Envelope | null): boolean {
  return envelope?.code === "missing_params" || envelope?.message.startsWith("Your balance") === true;
}

function notFound(envelope: Envelope | null): Answer {
  const isNotFound = envelope?.code === "transaction_not_found" || envelope?.message === "Transfer not found";
  return isNotFound ? { kind: "refusal", code: "unknown_reference" } : { kind: "silence" };
}
