// A hostile fake of Stripe's API: several accounts with their own books, idempotency keys that replay their first result, and
// webhooks that a test delivers in any order.
import { createHmac, randomBytes } from "node:crypto";
import { ProviderWithAccounts } from "../hostile-provider/accounts";
import type { Reply, Request } from "../hostile-provider/server";
import { type Owner, StripeAccount, StripeError } from "./book";
import { type Form, parseForm, textAt } from "./form";
import { failedTry, type Intent, type Session } from "./objects";

/**
 * `stored_error`: executed, and the key replays the error. `declined`: the PaymentIntent exists, its try has failed.
 * `empty_list`: a list that lags.
 */
type StripeFault = "stored_error" | "declined" | "refused" | "key_in_use" | "not_found" | "no_route" | "empty_list";

interface StripeEvent {
  readonly id: string;
  readonly object: "event";
  readonly type: string;
  readonly livemode: boolean;
  /** The connected account that the event is about. */
  readonly account?: string;
  readonly data: { readonly object: object };
}

const WRONG_KEY = new StripeError(401, "invalid_request_error", "Invalid API Key provided");
const NO_ACCESS = new StripeError(
  403,
  "invalid_request_error",
  "The key has no access to the account",
  "account_invalid",
);
const NO_ROUTE = new StripeError(404, "invalid_request_error", "Unrecognized request URL");
const REFUSED = new StripeError(400, "invalid_request_error", "Invalid integer", "parameter_invalid_integer");
const IN_USE = new StripeError(409, "idempotency_error", "Another request has this key", "idempotency_key_in_use");
const MISSING = new StripeError(404, "invalid_request_error", "No such object", "resource_missing");

function replyOf({ status, type, message, code, intent }: StripeError): Reply {
  return [status, { error: { type, message, ...(code && { code }), ...(intent && { payment_intent: intent }) } }];
}

export class FakeStripe extends ProviderWithAccounts<StripeAccount, Owner, StripeEvent, StripeFault> {
  constructor() {
    super(StripeAccount);
  }

  /** Starts on a free port of 127.0.0.1. */
  static start(): Promise<FakeStripe> {
    return new FakeStripe().listen();
  }

  /** The payer pays, by default the whole amount; `status` names another state of the payment. */
  pay(account: StripeAccount, reference: string, amount?: number, status: Intent["status"] = "succeeded"): Intent {
    const { session, intent: own } = account.find(reference);
    const intent = own ?? (session ? account.choose(session, status) : null);
    if (!intent) throw new Error(`Stripe has nothing for ${reference}`);
    Object.assign(intent, { status, next_action: null });
    if (session) Object.assign(session, { status: "complete" });
    if (status === "succeeded") {
      Object.assign(intent, { amount_received: amount ?? intent.amount, latest_charge: `ch_${intent.id}` });
      if (session) session.payment_status = "paid";
    }
    this.announce(account, `payment_intent.${status}`, intent);
    return intent;
  }

  /** Puts an event into the outbox. */
  announce(account: StripeAccount, type: string, object: object): void {
    const id = `evt_${randomBytes(12).toString("hex")}`;
    const { id: owner, livemode } = account.owner;
    const about = this.isSubAccount(account) ? { account: owner } : {};
    this.outbox.push({ id, object: "event", type, livemode, ...about, data: { object: { ...object } } });
  }

  /** The signed webhook of an event, as Stripe sends it. */
  static webhook(event: object, secret: string, at = new Date()): { readonly headers: Headers; readonly body: string } {
    return FakeStripe.signed(JSON.stringify(event), secret, at);
  }

  /** Any body with a signature. */
  static signed(body: string, secret: string, at = new Date()): { readonly headers: Headers; readonly body: string } {
    const time = Math.floor(at.getTime() / 1_000);
    const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    const headers = new Headers({
      "content-type": "application/json",
      "stripe-signature": `t=${time},v1=${signature}`,
    });
    return { body, headers };
  }

  protected override parse(text: string): Form {
    return parseForm(text);
  }

  protected errorBody(status: number): object {
    const type = status === 429 ? "invalid_request_error" : "api_error";
    return { error: { type, message: "An error occurred", ...(status === 429 && { code: "rate_limit" }) } };
  }

  protected misbehave(fault: StripeFault, request: Request, body: unknown): Reply {
    const account = this.#accountOf(request);
    const key = request.headers["idempotency-key"] as string | undefined;
    switch (fault) {
      case "stored_error": {
        this.execute(request, body);
        const reply: Reply = [500, this.errorBody(500)];
        if (account && key) account.keep(key, fingerprintOf(request), reply);
        return reply;
      }
      case "declined": {
        this.execute(request, body);
        const [intent] = account?.intents ?? [];
        if (intent) account?.fail(intent);
        const message = failedTry("")?.message ?? "";
        const error = new StripeError(402, "card_error", message, "payment_intent_authentication_failure", intent);
        if (account && key) account.keep(key, fingerprintOf(request), replyOf(error));
        return replyOf(error);
      }
      case "empty_list":
        return [200, { object: "list", data: [], has_more: false, url: request.path }];
      case "refused":
        return replyOf(REFUSED);
      case "key_in_use":
        return replyOf(IN_USE);
      case "not_found":
        return replyOf(MISSING);
      case "no_route":
        return replyOf(NO_ROUTE);
    }
  }

  protected execute(request: Request, body: unknown): Reply {
    const account = this.#accountOf(request);
    if (!account) return replyOf(request.headers["stripe-account"] === undefined ? WRONG_KEY : NO_ACCESS);
    const key = request.headers["idempotency-key"] as string | undefined;
    try {
      return request.method === "POST"
        ? account.once(key, fingerprintOf(request), () => [
            200,
            structuredClone(perform(account, request, body as Form)),
          ])
        : [200, structuredClone(read(account, request.path))];
    } catch (error) {
      if (error instanceof StripeError) return replyOf(error);
      throw error;
    }
  }

  #accountOf({ headers }: Request): StripeAccount | undefined {
    const secretKey = (headers.authorization ?? "").replace(/^Bearer /, "");
    return this.accountOf(secretKey, headers["stripe-account"] as string | undefined);
  }
}

function fingerprintOf({ path, text }: Request): string {
  return `${path}\n${text}`;
}

const CANCEL = /^\/v1\/payment_intents\/([^/]+)\/cancel$/;
const EXPIRE = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/;

function perform(account: StripeAccount, { path }: Request, body: Form): object {
  if (path === "/v1/customers") return account.createCustomer();
  if (path === "/v1/payment_intents") return account.createIntent(body);
  if (path === "/v1/refunds") return account.createRefund(body);
  if (path === "/v1/checkout/sessions") return shownSession(account.createSession(body), body);
  const [cancelled, expired] = [CANCEL.exec(path)?.[1], EXPIRE.exec(path)?.[1]];
  if (cancelled) return account.cancel(account.intent(cancelled));
  if (expired) return shownSession(account.expire(account.session(expired)), body);
  throw NO_ROUTE;
}

/** A session names its PaymentIntent unless the caller asks for the object. */
function shownSession(session: Session, params: Form, member = "payment_intent"): object {
  if (textAt(params, "expand", "0") === member) return session;
  return { ...session, payment_intent: session.payment_intent?.id ?? null };
}

function read(account: StripeAccount, path: string): object {
  const [address = "", text = ""] = path.split("?");
  const params = parseForm(text);
  const id = address.split("/").at(-1) ?? "";
  if (address === "/v1/account") return { id: account.owner.id, object: "account", charges_enabled: true };
  if (address === "/v1/balance") return { object: "balance", available: account.available, pending: [] };
  if (address === "/v1/payment_intents") return listOf(account.intents, params);
  if (address === "/v1/checkout/sessions") {
    return listOf(account.sessions, params, (session) => shownSession(session, params, "data.payment_intent"));
  }
  if (address === "/v1/refunds") {
    const own = account.refunds.filter(({ payment_intent }) => payment_intent === textAt(params, "payment_intent"));
    const limit = Number(textAt(params, "limit") ?? 10);
    return { object: "list", data: own.slice(0, limit), has_more: own.length > limit, url: "/v1" };
  }
  if (address.startsWith("/v1/refunds/")) return account.refund(id);
  if (address.startsWith("/v1/payment_intents/")) return account.intent(id);
  if (address.startsWith("/v1/checkout/sessions/")) return shownSession(account.session(id), params);
  throw NO_ROUTE;
}

interface Listed {
  readonly id: string;
  readonly created: number;
}

function listOf<Item extends Listed>(
  items: readonly Item[],
  params: Form,
  show: (item: Item) => object = (one) => one,
) {
  const [from, to] = [Number(textAt(params, "created", "gte")), Number(textAt(params, "created", "lte"))];
  const inTime = items.filter(({ created }) => created >= from && created <= to);
  const after = inTime.findIndex(({ id }) => id === textAt(params, "starting_after"));
  const rest = inTime.slice(after + 1);
  const limit = Number(textAt(params, "limit") ?? 10);
  return { object: "list", data: rest.slice(0, limit).map(show), has_more: rest.length > limit, url: "/v1" };
}
