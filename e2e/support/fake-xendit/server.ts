// A hostile fake of Xendit's API: several businesses with their own books, idempotency keys that replay their first result,
// and webhooks that a test delivers in any order.
import { ProviderWithAccounts } from "../hostile-provider/accounts";
import type { Reply, Request } from "../hostile-provider/server";
import { XenditAccount, XenditError } from "./book";
import type { Body, Owner } from "./objects";

/**
 * `not_found`: of a known id. `empty_list`: a list that lags. `unfiltered`: a list that ignores the reference. `partial`: a
 * list with more to come. `stale`: the answer of a replica that has only seen the creation.
 */
type XenditFault =
  | "not_found"
  | "no_route"
  | "refused"
  | "duplicate"
  | "empty_list"
  | "unfiltered"
  | "partial"
  | "stale";

interface Event {
  readonly event: string;
  readonly business_id: string;
  readonly created: string;
  readonly data: object;
}

const WRONG_KEY = new XenditError(401, "INVALID_API_KEY", "API key format is invalid");
const NO_ACCESS = new XenditError(403, "REQUEST_FORBIDDEN_ERROR", "The API key is forbidden to perform this request");
const NOT_FOUND = new XenditError(404, "DATA_NOT_FOUND", "Data not found");
const NO_ROUTE = new XenditError(404, "NOT_FOUND", "The requested resource was not found");
const REFUSED = new XenditError(400, "API_VALIDATION_ERROR", "Inputs are failing validation");
const DUPLICATE = new XenditError(400, "DUPLICATE_ERROR", "A payout with this idempotency key already exists.");

function replyOf({ status, code, message }: XenditError): Reply {
  return [status, { error_code: code, message }];
}

export class FakeXendit extends ProviderWithAccounts<XenditAccount, Owner, Event, XenditFault> {
  constructor() {
    super(XenditAccount);
  }

  /** Starts on a free port of 127.0.0.1. */
  static start(): Promise<FakeXendit> {
    return new FakeXendit().listen();
  }

  /** The payer pays; Xendit then also says that the payment method has expired. */
  pay(account: XenditAccount, reference: string, status = "SUCCEEDED"): void {
    const request = Object.assign(account.payment(reference), { status, actions: [] });
    const { currency, amount, metadata } = request;
    const payment = { id: `py-${request.id}`, payment_request_id: request.id, reference_id: reference };
    this.announce(account, status === "SUCCEEDED" ? "payment.succeeded" : "payment.failed", {
      ...payment,
      currency,
      amount,
      metadata,
      status,
    });
    this.announce(account, "payment_method.expired", { id: "pm-1", reference_id: "of-the-method", status: "EXPIRED" });
  }

  /** A payout changes its status. */
  move(account: XenditAccount, reference: string, status: string, failure_code?: string): void {
    const payout = Object.assign(account.payout(reference), { status, ...(failure_code && { failure_code }) });
    this.announce(account, `payout.${status.toLowerCase()}`, payout);
  }

  /** Puts an event into the outbox. */
  announce({ owner }: XenditAccount, event: string, data: object): void {
    this.outbox.push({ event, ...owner, created: new Date().toISOString(), data: { ...data } });
  }

  /** The webhook of an event, as Xendit sends it. */
  static webhook(event: object, token: string): { readonly headers: Headers; readonly body: string } {
    return FakeXendit.sent(JSON.stringify(event), token);
  }

  /** Any body with a token. */
  static sent(body: string, token: string): { readonly headers: Headers; readonly body: string } {
    return { body, headers: new Headers({ "content-type": "application/json", "x-callback-token": token }) };
  }

  protected errorBody(status: number): object {
    return { error_code: status === 429 ? "RATE_LIMIT_EXCEEDED" : "SERVER_ERROR", message: "An error occurred" };
  }

  protected misbehave(fault: XenditFault, request: Request, body: unknown): Reply {
    switch (fault) {
      case "not_found":
        return replyOf(NOT_FOUND);
      case "no_route":
        return replyOf(NO_ROUTE);
      case "refused":
        return replyOf(REFUSED);
      case "duplicate":
        return replyOf(DUPLICATE);
      case "empty_list":
        return [200, { data: [], has_more: false }];
      case "unfiltered":
        return this.execute({ ...request, path: request.path.replace(/reference_id=[^&]*&?/, "") }, body);
      case "partial":
        return [200, { data: [], has_more: true }];
      case "stale": {
        const [status, answer] = this.execute(request, body);
        return [status, asCreated(answer)];
      }
    }
  }

  protected execute(request: Request, body: unknown): Reply {
    const [key = ""] = Buffer.from((request.headers.authorization ?? "").replace(/^Basic /, ""), "base64")
      .toString("utf8")
      .split(":");
    const account = this.accountOf(key, request.headers["for-user-id"] as string | undefined);
    if (!account) return replyOf(request.headers["for-user-id"] === undefined ? WRONG_KEY : NO_ACCESS);
    try {
      return request.method === "POST"
        ? account.once(request.headers["idempotency-key"] as string | undefined, fingerprintOf(request), () =>
            structuredClone(perform(account, request.path, body as Body)),
          )
        : [200, structuredClone(read(account, request.path))];
    } catch (error) {
      if (error instanceof XenditError) return replyOf(error);
      throw error;
    }
  }
}

function fingerprintOf({ path, text }: Request): string {
  return `${path}\n${text}`;
}

/** The objects of an answer as they were created. */
function asCreated(answer: object): object {
  const first = (one: { readonly channel_code?: string }) => ({
    ...one,
    status: one.channel_code ? "ACCEPTED" : "PENDING",
  });
  if (Array.isArray(answer)) return answer.map(first);
  const { data } = answer as { readonly data?: readonly { readonly channel_code?: string }[] };
  return data ? { ...answer, data: data.map(first) } : first(answer);
}

function perform(account: XenditAccount, path: string, body: Body): Reply {
  if (path === "/payment_requests") return [201, account.createPayment(body)];
  if (path === "/v2/payouts") return [200, account.createPayout(body)];
  throw NO_ROUTE;
}

function read(account: XenditAccount, path: string): object {
  const { pathname, searchParams } = new URL(path, "http://xendit");
  const reference = searchParams.get("reference_id");
  const limit = Number(searchParams.get("limit") ?? 10);
  const listOf = (objects: readonly { readonly reference_id: string }[]) => {
    const found = objects.filter((one) => reference === null || one.reference_id === reference);
    return { data: found.slice(0, limit), has_more: found.length > limit };
  };
  const byId = <Item extends { readonly id: string }>(objects: readonly Item[]): Item => {
    const found = objects.find(({ id }) => id === decodeURIComponent(pathname.split("/").at(-1) ?? ""));
    if (!found) throw NOT_FOUND;
    return found;
  };
  if (pathname === "/payment_requests") return listOf(account.requests);
  if (pathname === "/v2/payouts") {
    const list = listOf(account.payouts);
    return account.payoutLists === "array" ? list.data : list;
  }
  if (pathname === "/transactions") {
    const { business_id } = account.owner;
    return {
      data: Array.from({ length: account.transactions }, () => ({ id: "txn_1", business_id })),
      has_more: false,
    };
  }
  if (pathname === "/balance") {
    const balance = account.balance[searchParams.get("currency") ?? "IDR"];
    if (balance === undefined) throw new XenditError(400, "API_VALIDATION_ERROR", "No balance in the currency");
    return { balance };
  }
  if (pathname.startsWith("/payment_requests/")) return byId(account.requests);
  if (pathname.startsWith("/v2/payouts/")) return byId(account.payouts);
  throw NO_ROUTE;
}
