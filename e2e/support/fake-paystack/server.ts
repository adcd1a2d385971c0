// A hostile fake of Paystack's API in this process: several accounts, faults before and after the effect, and webhooks that
// a test delivers in any order. It keeps its own record of executions.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readBody, sendHtml, sendJson } from "../fake-psp/exchange";
import { Account, Refusal } from "./book";
import { customerObject, type Owner, recipientObject, transactionObject, transferObject } from "./objects";

/** How one call goes wrong. `lost` modes execute the call first. */
export type Fault =
  | "lost_request"
  | "lost_answer"
  | "error_before"
  | "error_after"
  | "rate_limited"
  | "html"
  | "not_found"
  | "hang";

interface Rule {
  readonly path: RegExp;
  readonly fault: Fault;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface Event {
  readonly event: string;
  readonly data: object;
}

const NOT_FOUND = { status: false, message: "Transfer not found" };

export class FakePaystack {
  readonly calls: Call[] = [];
  /** Webhooks that have not been delivered. */
  readonly outbox: Event[] = [];
  private readonly accounts = new Map<string, Account>();
  private readonly rules: Rule[] = [];
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  /** Starts on a free port of 127.0.0.1. */
  static async start(): Promise<FakePaystack> {
    const fake = new FakePaystack();
    await new Promise<void>((resolve) => fake.server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Opens an account for a secret key; two keys can share one account. */
  open(secretKey: string, account: Account | Owner): Account {
    const opened = account instanceof Account ? account : new Account(account);
    this.accounts.set(secretKey, opened);
    return opened;
  }

  /** The next call whose path matches goes wrong; rules apply in their order. */
  spoil(path: RegExp, ...faults: readonly Fault[]): void {
    this.rules.push(...faults.map((fault) => ({ path, fault })));
  }

  clear(): void {
    this.rules.length = 0;
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
    const body = JSON.stringify(event);
    const signature = createHmac("sha512", secretKey).update(body).digest("hex");
    return { body, headers: new Headers({ "content-type": "application/json", "x-paystack-signature": signature }) };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: path = "" } = request;
    const text = await readBody(request);
    const body: unknown = text === "" ? null : JSON.parse(text);
    const at = this.rules.findIndex((rule) => rule.path.test(`${method} ${path}`));
    const fault = at < 0 ? null : this.rules.splice(at, 1)[0]?.fault;
    const send = (status: number, answer: unknown) => {
      this.calls.push({ method, path, body, status, answer });
      sendJson(response, status, answer);
    };
    if (fault === "lost_request") return void response.destroy();
    if (fault === "rate_limited") return send(429, { status: false, message: "Too many requests" });
    if (fault === "error_before") return send(500, { status: false, message: "Internal error" });
    if (fault === "not_found") return send(404, NOT_FOUND);
    const [status, answer] = this.execute(method, path, body, request.headers.authorization ?? "");
    if (fault === "hang") return;
    if (fault === "lost_answer") return void response.destroy();
    if (fault === "error_after") return send(502, { status: false, message: "Bad gateway" });
    if (fault === "html") return sendHtml(response, 200, "<html><body>maintenance</body></html>");
    send(status, answer);
  }

  private execute(method: string, path: string, body: unknown, authorization: string): [number, object] {
    const account = this.accounts.get(authorization.replace(/^Bearer /, ""));
    if (!account) return [401, { status: false, message: "Invalid key" }];
    try {
      return perform(account, `${method} ${path.split("?")[0]}`, body as Readonly<Record<string, unknown>>);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const code = error.code === undefined ? {} : { type: "validation_error", code: error.code };
      return [error.status, { status: false, message: error.message, ...code }];
    }
  }
}

function perform(account: Account, call: string, body: Readonly<Record<string, unknown>>): [number, object] {
  const { owner } = account;
  const data = (message: string, content: unknown, status = 200): [number, object] => [
    status,
    { status: true, message, data: content },
  ];
  const list = (message: string, content: readonly object[]): [number, object] => {
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
  return [404, { status: false, message: "Entity not found" }];
}
