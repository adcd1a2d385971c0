// Finds a payment's object at Stripe: by the recorded id, or in the list of what was created since the payment.
import type { NeverAccepted, Unknown } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { forOperator, unknownReference } from "../account-guard";
import type { PaymentRequest } from "../gateway";
import { EXPANDED, REFERENCE } from "./bodies";
import { describe, type StripeAnswer } from "./client";
import type { StripeContext } from "./context";
import { checkoutSession, page, paymentIntent, type StripeIntent, type StripeSession } from "./objects";
import { CALLS, PAYMENT_ROWS } from "./tables";

export type Found =
  | { readonly kind: "intent"; readonly intent: StripeIntent }
  | { readonly kind: "session"; readonly session: StripeSession };

/** The objects of a payment, oldest first; or what is known without one. */
type Lookup = readonly Found[] | NeverAccepted | Unknown;

const PAGE_SIZE = 100;
/** More pages do not fit into one call; the next poll begins again. */
const MAXIMUM_PAGES = 20;
/** Clocks differ; creations are repeated for 23 hours at the most. */
const BEFORE_SECONDS = 300;
const AFTER_SECONDS = 24 * 3_600;

const MALFORMED: Unknown = { kind: "unknown", detail: "an object that is malformed" };

/** Reads an object of an answer; null if it is malformed. */
export function readObject(by: "intent" | "session", data: unknown): Found | null {
  if (by === "intent") {
    const parsed = paymentIntent.safeParse(data);
    return parsed.success ? { kind: "intent", intent: parsed.data } : null;
  }
  const parsed = checkoutSession.safeParse(data);
  return parsed.success ? { kind: "session", session: parsed.data } : null;
}

/** Returns which kind of object a payment has. */
function objectOf({ method }: PaymentRequest): "intent" | "session" {
  return PAYMENT_ROWS[method.code]?.collection.by === "page" ? "session" : "intent";
}

/** Finds the objects of a payment. */
export async function findObjects(
  context: StripeContext,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<Lookup> {
  const id = request.earlier?.providerReference ?? null;
  return id === null ? list(context, request, signal) : read(context, id, signal);
}

async function read({ client, guard }: StripeContext, id: string, signal: AbortSignal): Promise<Lookup> {
  const isSession = id.startsWith("cs_");
  const { method, path } = isSession ? CALLS.readSession : CALLS.readIntent;
  const call = { method, path: path.replace("{id}", encodeURIComponent(id)), ...(isSession && { params: EXPANDED }) };
  const answer = await client(call, signal);
  if (answer.kind === "error" && answer.status === 404) {
    const unknown = await unknownReference(guard, signal);
    if (unknown.kind !== "never_accepted") return unknown;
    return forOperator("Stripe no longer has the object that it created for the payment.");
  }
  if (answer.kind !== "data") return { kind: "unknown", detail: describe(answer) };
  const found = readObject(isSession ? "session" : "intent", answer.data);
  return found ? [found] : MALFORMED;
}

/**
 * Reads the list to its end: Stripe's search lags, but its lists are consistent. An incomplete list proves nothing, also
 * if one object was found, since it could be the second.
 */
async function list(context: StripeContext, request: PaymentRequest, signal: AbortSignal): Promise<Lookup> {
  const by = objectOf(request);
  const { method, path } = by === "session" ? CALLS.listSessions : CALLS.listIntents;
  const createdAt = Math.floor(request.createdAt.getTime() / 1_000);
  if (createdAt - BEFORE_SECONDS > now().getTime() / 1_000) {
    return { kind: "unknown", detail: "the payment is of a moved test clock, and Stripe lists by its own" };
  }
  const created = { gte: createdAt - BEFORE_SECONDS, lte: createdAt + AFTER_SECONDS };
  const expand = by === "session" ? ["data.payment_intent"] : undefined;
  const found: Found[] = [];
  let starting_after: string | undefined;
  for (let n = 0; n < MAXIMUM_PAGES; n += 1) {
    const params = { created, limit: PAGE_SIZE, starting_after, expand };
    const answer: StripeAnswer = await context.client({ method, path, params }, signal);
    const parsed = answer.kind === "data" ? page.safeParse(answer.data) : null;
    if (!parsed?.success) return { kind: "unknown", detail: describe(answer) };
    for (const item of parsed.data.data) {
      if (item.metadata?.[REFERENCE] !== request.reference) continue;
      const object = readObject(by, item);
      if (!object) return MALFORMED;
      found.unshift(object);
    }
    starting_after = parsed.data.data.at(-1)?.id;
    if (!parsed.data.has_more || starting_after === undefined) {
      return found.length > 0 ? found : unknownReference(context.guard, signal);
    }
  }
  return { kind: "unknown", detail: "Stripe lists too many objects of that time" };
}
