// The bodies from which the tables start. Each is valid, and a case changes one thing about it.
import { judgeBody, type Operation, valueAt } from "./oracle";
import type { BadInput, HeaderValues } from "./table";

export const PATHS: Readonly<Record<Operation, string>> = {
  payment: "/v1/payment_intents",
  payout: "/v1/payout_intents",
  topup: "/v1/topup_intents",
  cancel: "/v1/payout_intents/{{payout_id}}/cancel",
  simulate: "/v1/sandbox/simulate",
  endpoint: "/v1/webhook_endpoints",
  advance: "/v1/sandbox/clock",
};

export const BODIES: Readonly<Record<Operation, object>> = {
  payment: {
    amount: "1050",
    currency: "BRL",
    country: "BR",
    payment_method: "BR_PIX",
    merchant_reference: "{{reference}}",
  },
  payout: {
    amount: "2500",
    currency: "BRL",
    country: "BR",
    merchant_reference: "{{reference}}",
    recipient: {
      type: "bank_account",
      account_number: "0001234567890",
      bank_code: "001",
      holder_name: "Ana Souza",
    },
  },
  topup: {
    destination: { amount: "10000", currency: "BRL" },
    source: { type: "provider_gateway", currency: "USDT" },
    country: "BR",
    merchant_reference: "{{reference}}",
  },
  cancel: {},
  simulate: { id: "{{payment_id}}", outcome: "expired" },
  endpoint: { url: "https://93.184.215.14/hooks", description: "", event_types: null },
  advance: { advance_seconds: 60 },
};

/** Headers that an operation needs besides the credentials. */
export function headersOf(operation: Operation): { headers?: HeaderValues } {
  return operation === "topup" ? { headers: { "idempotency-key": "{{reference}}" } } : {};
}

/**
 * A copy of the body with the member at the dotted path set, or removed for undefined. Creates missing objects on the
 * path.
 */
export function changed(body: object, path: string, value: unknown): object {
  const [first = "", ...rest] = path.split(".");
  const inner = valueAt(body, first);
  const next =
    rest.length === 0 ? value : changed(typeof inner === "object" && inner ? inner : {}, rest.join("."), value);
  const copy: Record<string, unknown> = { ...body, [first]: next };
  if (next === undefined) delete copy[first];
  return copy;
}

/** A request whose body the contract's rules reject; null if they accept it. */
export function bodyCase(name: string, operation: Operation, body: object): BadInput | null {
  const expect = judgeBody(operation, body);
  if (!expect) return null;
  return { name, method: "POST", path: PATHS[operation], ...headersOf(operation), body, expect };
}

/** The same for one changed member. Throws if the rules accept it, for tables in which every case must be wrong. */
export function fieldCase(name: string, operation: Operation, path: string, value: unknown): BadInput {
  const made = bodyCase(name, operation, changed(BODIES[operation], path, value));
  if (!made) throw new Error(`${name} is right`);
  return made;
}
