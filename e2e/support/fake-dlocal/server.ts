// A hostile fake of dLocal's API: several accounts with their own books, signatures that it checks over the bytes that it
// received, and notifications that a test delivers in any order.
import { ProviderWithAccounts } from "../hostile-provider/accounts";
import type { Reply, Request } from "../hostile-provider/server";
import { DlocalAccount, DlocalError } from "./book";
import { type Body, METHODS, type Owner, orderOf, shownPayment, statusMembers } from "./objects";
import { signed } from "./signature";

/**
 * `not_found`: of a known payment. `no_route`: of the address. `refused`: by validation. `payer_refused`: for the payer.
 * `stale`: the answer of a replica that has only seen the creation. `timeout`: dLocal's own time-out after the effect, with
 * the number of another error.
 */
type DlocalFault = "not_found" | "no_route" | "refused" | "payer_refused" | "stale" | "timeout" | "duplicated";

interface Notification {
  readonly body: object;
}

const NOT_FOUND = new DlocalError(404, 4000, "Payment not found");

function replyOf({ status, code, message, param }: DlocalError): Reply {
  return [status, { code, message, ...(param === undefined ? {} : { param }) }];
}

export class FakeDlocal extends ProviderWithAccounts<DlocalAccount, Owner, Notification, DlocalFault> {
  constructor() {
    super(DlocalAccount);
  }

  /** Starts on a free port of 127.0.0.1. */
  static start(): Promise<FakeDlocal> {
    return new FakeDlocal().listen();
  }

  /** A payment becomes paid, or something else, and dLocal notifies. */
  pay(account: DlocalAccount, reference: string, status = "PAID"): void {
    const payment = account.move(reference, status);
    this.outbox.push({ body: structuredClone(shownPayment(payment, "notification", false)) });
  }

  /** The signed notification, as dLocal sends it. */
  static webhook({ body }: Notification, owner: Owner): { readonly headers: Headers; readonly body: string } {
    return FakeDlocal.signed(JSON.stringify(body), owner);
  }

  /** Any body with a signature. */
  static signed(body: string, owner: Owner): { readonly headers: Headers; readonly body: string } {
    const date = "2026-11-26T09:00:00.000Z";
    const authorization = signed(owner, date, body);
    const headers = { "content-type": "application/json", "x-login": owner.login, "x-date": date, authorization };
    return { body, headers: new Headers(headers) };
  }

  protected errorBody(status: number): object {
    return status === 429
      ? { code: 6000, message: "Too many requests to the API" }
      : { code: 7000, message: "Failed to process the request" };
  }

  protected misbehave(fault: DlocalFault, request: Request, body: unknown): Reply {
    switch (fault) {
      case "not_found":
        return replyOf(NOT_FOUND);
      case "no_route":
        return [404, { code: 404, message: "NOT_FOUND" }];
      case "refused":
        return replyOf(new DlocalError(400, 5001, "Missing parameter. payer.document", "payer.document"));
      case "payer_refused":
        return replyOf(new DlocalError(400, 5014, "User blacklisted"));
      case "duplicated":
        return replyOf(new DlocalError(400, 5009, "Order ID is duplicated"));
      case "timeout":
        this.execute(request, body);
        return replyOf(new DlocalError(504, 5010, "Request timeout"));
      case "stale": {
        const [status, answer] = this.execute(request, body);
        return [status, status === 200 && "status" in answer ? { ...answer, ...statusMembers("PENDING") } : answer];
      }
    }
  }

  protected execute(request: Request, body: unknown): Reply {
    try {
      return perform(this.#authenticated(request), request, (body ?? {}) as Body);
    } catch (error) {
      if (error instanceof DlocalError) return replyOf(error);
      throw error;
    }
  }

  /** In this order, as one who tried it has described it: headers, keys, signature. Dates are not compared with a clock. */
  #authenticated({ headers, text }: Request): DlocalAccount {
    const header = (name: string) => {
      const value = headers[name];
      if (typeof value !== "string" || value === "") throw new DlocalError(400, 5001, "Invalid parameter", name);
      return value;
    };
    const [login, transKey, date] = [header("x-login"), header("x-trans-key"), header("x-date")];
    const authorization = header("authorization");
    if (Number.isNaN(Date.parse(date))) throw new DlocalError(400, 5001, "Invalid parameter", "x-date");
    if (header("x-version") !== "2.1") throw new DlocalError(400, 5017, "Invalid API Version");
    const account = this.accountOf(login);
    if (account?.owner.transKey !== transKey) throw new DlocalError(403, 3001, "Invalid credentials");
    if (authorization !== signed(account.owner, date, text)) throw new DlocalError(400, 5000, "Signature not match");
    return account;
  }
}

function perform(account: DlocalAccount, { method, path, headers }: Request, body: Body): Reply {
  const url = new URL(path, "http://dlocal");
  const [, resource = "", id = ""] = url.pathname.split("/").map(decodeURIComponent);
  switch (`${method} ${resource}`) {
    case "POST payments":
      return account.create(headers["x-idempotency-key"] as string | undefined, body);
    case "GET payments":
      return [200, structuredClone(shownPayment(account.byId(id), "poll", account.showsPages))];
    case "GET orders":
      return [200, orderOf(account.byOrder(id))];
    case "GET payments-methods": {
      const country = url.searchParams.get("country");
      if (country === null) throw new DlocalError(400, 5001, "Missing parameter. country", "country");
      const methods = METHODS[country];
      if (!methods) throw new DlocalError(400, 5003, "Country not supported");
      return [200, Object.entries(methods).map(([name, type]) => methodObject(name, type))];
    }
    default:
      throw new DlocalError(404, 404, "NOT_FOUND");
  }
}

function methodObject(id: string, type: string): object {
  return { id, type, name: id, logo: `https://static.dlocal.example/${id}.png`, allowed_flows: ["DIRECT", "REDIRECT"] };
}
