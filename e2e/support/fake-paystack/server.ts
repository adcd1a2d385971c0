// A hostile fake of Paystack's API: several accounts with their own books, and webhooks that a test delivers in any order.
import { createHmac } from "node:crypto";
import { ProviderWithAccounts } from "../hostile-provider/accounts";
import type { Reply, Request } from "../hostile-provider/server";
import { Account, Refusal } from "./book";
import { customerObject, type Owner, recipientObject, transactionObject, transferObject } from "./objects";

/** `not_found`: of a known reference. `no_route`: of the address. `stale`: the answer of a late replica. */
type PaystackFault = "not_found" | "no_route" | "refused" | "stale";

interface Event {
  readonly event: string;
  readonly data: object;
}

type Body = Readonly<Record<string, unknown>>;

/** The errors of an unknown reference. */
const NOT_FOUND: Readonly<Record<string, Reply>> = {
  transaction: [
    400,
    {
      status: false,
      message: "Transaction reference not found.",
      type: "validation_error",
      code: "transaction_not_found",
    },
  ],
  transfer: [404, { status: false, message: "Transfer not found" }],
};
const NO_ROUTE: Reply = [404, { status: false, message: "Entity not found" }];
/** Refusals by which Paystack proves that a call created nothing. */
const REFUSALS: Readonly<Record<string, object>> = {
  "/transaction/initialize": { status: false, message: "amount is required", code: "missing_params" },
  "/transfer": { status: false, message: "Your balance is not enough to fulfil this request" },
};

export class FakePaystack extends ProviderWithAccounts<Account, Owner, Event, PaystackFault> {
  constructor() {
    super(Account);
  }

  /** Starts on a free port of 127.0.0.1. */
  static start(): Promise<FakePaystack> {
    return new FakePaystack().listen();
  }

  /** The payer pays, by default what was requested. */
  pay(account: Account, reference: string, amount?: number): void {
    const transaction = account.findTransaction(reference);
    transaction.amount = amount ?? transaction.requested;
    transaction.status = "success";
    this.outbox.push({ event: "charge.success", data: transactionObject(account.owner, transaction) });
  }

  /** A transfer changes its status; `reversed` puts the money back. */
  move(account: Account, reference: string, status: string): void {
    const transfer = account.findTransfer(reference);
    transfer.status = status;
    if (status === "reversed" || status === "failed") account.balance += transfer.amount;
    this.outbox.push({ event: `transfer.${status}`, data: transferObject(account.owner, transfer, "poll") });
  }

  /** The signed webhook of an event, as Paystack sends it. */
  static webhook(event: Event, secretKey: string): { readonly headers: Headers; readonly body: string } {
    return FakePaystack.signed(JSON.stringify(event), secretKey);
  }

  /** Any body with a signature. */
  static signed(body: string, secretKey: string): { readonly headers: Headers; readonly body: string } {
    const signature = createHmac("sha512", secretKey).update(body).digest("hex");
    return { body, headers: new Headers({ "content-type": "application/json", "x-paystack-signature": signature }) };
  }

  protected errorBody(status: number): object {
    return { status: false, message: status === 429 ? "Too many requests" : "Internal error" };
  }

  protected misbehave(fault: PaystackFault, request: Request, body: unknown): Reply {
    switch (fault) {
      case "not_found":
        return NOT_FOUND[request.path.startsWith("/transaction/") ? "transaction" : "transfer"] ?? NO_ROUTE;
      case "no_route":
        return NO_ROUTE;
      case "refused":
        return [400, REFUSALS[request.path] ?? {}];
      case "stale": {
        const [status, answer] = this.execute(request, body);
        return [status, asCreated(answer)];
      }
    }
  }

  protected execute({ method, path, headers }: Request, body: unknown): Reply {
    const account = this.accountOf((headers.authorization ?? "").replace(/^Bearer /, ""));
    if (!account) return [401, { status: false, message: "Invalid key" }];
    try {
      return perform(account, `${method} ${path.split("?")[0]}`, body as Body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const code = error.code === undefined ? {} : { type: "validation_error", code: error.code };
      return [error.status, { status: false, message: error.message, ...code }];
    }
  }
}

/** The answer of a replica that has only seen the creation. */
function asCreated(answer: object): object {
  const { data } = answer as { readonly data?: { readonly transfer_code?: string } };
  return data ? { ...answer, data: { ...data, status: data.transfer_code ? "pending" : "abandoned" } } : answer;
}

function perform(account: Account, call: string, body: Body): Reply {
  const { owner } = account;
  const data = (message: string, content: unknown, status = 200): Reply => [
    status,
    { status: true, message, data: content },
  ];
  const list = (message: string, content: readonly object[]): Reply => {
    const meta = { total: content.length, skipped: 0, perPage: 50, page: 1, pageCount: 1 };
    return [200, { status: true, message, data: content, meta }];
  };
  const last = decodeURIComponent(call.split("/").at(-1) ?? "");
  if (call === "POST /transaction/initialize") {
    const { id, reference } = account.initialize(body);
    const access_code = `access${id}`;
    const authorization_url = `https://checkout.paystack.com/${access_code}`;
    return data("Authorization URL created", { authorization_url, access_code, reference });
  }
  if (call.startsWith("GET /transaction/verify/")) {
    return data("Verification successful", transactionObject(owner, account.findTransaction(last)));
  }
  if (call === "POST /transferrecipient") {
    return data("Transfer recipient created successfully", recipientObject(owner, account.recipient(body)), 201);
  }
  if (call === "POST /transfer") {
    return data("Transfer has been queued", transferObject(owner, account.transfer(body), "creation"));
  }
  if (call.startsWith("GET /transfer/verify/")) {
    return data("Transfer retrieved", transferObject(owner, account.findTransfer(last), "poll"));
  }
  if (call === "GET /customer") {
    const customers = account.customers.map((email, at) => customerObject(owner, email, at + 1));
    return list("Customers retrieved", customers);
  }
  if (call === "GET /transferrecipient") return list("Recipients retrieved", account.recipientObjects());
  if (call === "GET /balance") return data("Balances retrieved", [{ currency: "NGN", balance: account.balance }]);
  if (call === "GET /integration/payment_session_timeout") {
    return data("Payment session timeout retrieved", { payment_session_timeout: 1_800 });
  }
  return NO_ROUTE;
}
