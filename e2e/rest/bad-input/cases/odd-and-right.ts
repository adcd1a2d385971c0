// Cases that look wrong but are valid: unknown members and parameters, odd spellings, limits met exactly.
import { BODIES, changed, headersOf, PATHS } from "../bodies";
import { judgeBody, type Operation, valueAt } from "../oracle";
import type { HeaderValues, OddInput } from "../table";
import { NAUGHTY } from "./naughty-strings";
import { oddQueries } from "./odd-queries";

const CREATED = 201;
const CANCEL_FRESH = "/v1/payout_intents/{{fresh_payout_id}}/cancel";

/** A creation that shows the members at these paths as they were sent. Throws if the rules reject it. */
function created(name: string, operation: Operation, body: object, echo: readonly string[] = []): OddInput {
  if (judgeBody(operation, body)) throw new Error(`${name} is wrong`);
  const shows = Object.fromEntries(echo.map((path) => [path, valueAt(body, path)]));
  return {
    name,
    method: "POST",
    path: PATHS[operation],
    ...headersOf(operation),
    body,
    expect: { status: CREATED, shows },
  };
}

function cancelled(name: string, body: OddInput["body"], message: string | null, headers?: HeaderValues): OddInput {
  const shows = { status: "cancelled", failure_code: "cancelled", failure_message: message };
  const rest = { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) };
  return { name, method: "POST", path: CANCEL_FRESH, ...rest, expect: { status: 202, shows } };
}

/** Each naughty text goes into one field after another; a suffix makes references unique. */
function naughty(): OddInput[] {
  return NAUGHTY.flatMap((text, index) => {
    const reference = `${text} {{reference}}`;
    const name = `text ${index}`;
    const fields: readonly (() => OddInput)[] = [
      () =>
        created(`${name} as holder_name`, "payout", changed(BODIES.payout, "recipient.holder_name", text), [
          "recipient.holder_name",
        ]),
      () =>
        created(`${name} in a reference`, "payment", changed(BODIES.payment, "merchant_reference", reference), [
          "merchant_reference",
        ]),
      () =>
        created(`${name} in a top-up's reference`, "topup", changed(BODIES.topup, "merchant_reference", reference), [
          "merchant_reference",
        ]),
      () =>
        created(
          `${name} as a customer's name`,
          "payment",
          changed(BODIES.payment, "customer", { name: text, email: text, reference: text }),
        ),
    ];
    return [cancelled(`${name} as reason`, { reason: text }, text), fields[index % fields.length]?.()].filter(
      (one) => one !== undefined,
    );
  });
}

/** Members that other systems would take for a command. */
const UNKNOWN_MEMBERS: Readonly<Record<string, unknown>> = {
  environment: "live",
  id: "dord_01h455vb4pex5vsknk084sn02q",
  object: "payout_intent",
  status: "succeeded",
  merchant_id: "{{stranger_merchant_id}}",
  failure_code: "provider_declined",
  next_action: null,
  created_at: "2000-01-01T00:00:00.000Z",
  approved_by: "mem_01h455vb4pex5vsknk084sn02q",
  approvals_required: 0,
  fee_amount: "0",
  provider: "acme",
  livemode: true,
  constructor: { prototype: { status: "succeeded" } },
  toString: "x",
  hasOwnProperty: 1,
  "": "the empty key",
  "\u{1f600}": "an emoji",
  "amount ": "1",
  Amount: "1",
  $where: "1",
};

function unknownMembers(): OddInput[] {
  const single = Object.entries(UNKNOWN_MEMBERS).map(([member, value], index) => {
    const operation = (["payment", "payout", "topup"] as const)[index % 3] ?? "payment";
    const one = created(`${operation} with the member ${JSON.stringify(member)}`, operation, {
      ...BODIES[operation],
      [member]: value,
    });
    return { ...one, expect: { ...one.expect, shows: { environment: "test", failure_code: null } } };
  });
  const polluting = ["__proto__", "prototype"].map((member): OddInput => {
    const body = JSON.stringify(BODIES.payment).replace("{", `{"${member}":{"amount":"1","status":"succeeded"},`);
    const expect = { status: CREATED, shows: { amount: "1050", status: "requires_action" } };
    return { name: `payment with the member ${member}`, method: "POST", path: PATHS.payment, body, expect };
  });
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, index]));
  return [
    ...single,
    ...polluting,
    created("payment with 1,000 more members", "payment", { ...BODIES.payment, ...many }, ["amount"]),
  ];
}

function texts(): OddInput[] {
  const rest = JSON.stringify(BODIES.payment).slice(1);
  const raw = (name: string, body: string, headers: HeaderValues = {}): OddInput => ({
    name,
    method: "POST",
    path: PATHS.payment,
    headers,
    body,
    expect: { status: CREATED, shows: { amount: "1050", currency: "BRL", payment_method: "BR_PIX" } },
  });
  const whole = `{${rest}`;
  const padding = (bytes: number) => `{"x":"{{repeat:${bytes}:x}}",${rest}`;
  // The reference that the run fills in has 24 characters, its placeholder 13.
  const room = 64 * 1024 - padding(0).replace("{{repeat:0:x}}", "").length - (24 - "{{reference}}".length);
  return [
    raw("white space around everything", ` \t\r\n${whole.replaceAll(":", " : ").replaceAll(",", "\n,\t")}\n `),
    raw("keys spelled by escapes", whole.replace('"amount"', '"\\u0061mount"')),
    raw("values spelled by escapes", whole.replace('"BRL"', '"\\u0042\\u0052\\u004c"')),
    raw("16 levels deep", `{"x":${"[".repeat(15)}${"]".repeat(15)},${rest}`),
    raw("numbers beyond every type in a member nobody reads", `{"x":[1e999,-1e999,1e-999,${"9".repeat(400)}],${rest}`),
    raw("a body of exactly 64 KiB", padding(room)),
    raw("in chunks", whole, { "transfer-encoding": "chunked" }),
    raw("with a charset", whole, { "content-type": "application/json; charset=utf-8" }),
    raw("with a charset in quotes and capitals", whole, { "content-type": 'application/json;charset="UTF-8"' }),
    raw("with its type in capitals", whole, { "content-type": "APPLICATION/JSON" }),
    raw("with the encoding identity", whole, { "content-encoding": "identity" }),
    raw("with a scheme in small letters", whole, { authorization: "basic {{base64:{{public_key}}:{{secret_key}}}}" }),
    raw("with several spaces after the scheme", whole, {
      authorization: "Basic   {{base64:{{public_key}}:{{secret_key}}}}",
    }),
    raw("with headers that mean something elsewhere", whole, {
      "x-environment": "live",
      "x-forwarded-for": "203.0.113.9",
      cookie: "a=b",
    }),
  ];
}

function lengths(): OddInput[] {
  const longest: readonly (readonly [Operation, string, number, boolean])[] = [
    ["payment", "merchant_reference", 255 - 24, true],
    ["payout", "recipient.holder_name", 255, false],
    ["payout", "recipient.bank_code", 64, false],
    ["topup", "merchant_reference", 255 - 24, true],
  ];
  const units = ["x", "\u00e9", "\u4e2d", "\u{1f600}", "\u0301"];
  const full = longest.flatMap(([operation, path, count, isReference]) =>
    units.map((unit, index) => {
      const value = `{{repeat:${count}:${unit}}}${isReference ? "{{reference}}" : ""}`;
      return created(
        `${operation}: ${path} as long as it may be, ${index}`,
        operation,
        changed(BODIES[operation], path, value),
        [path],
      );
    }),
  );
  const reasons = units.map((unit, index) =>
    cancelled(`a reason of 512 characters, ${index}`, { reason: `{{repeat:512:${unit}}}` }, `{{repeat:512:${unit}}}`),
  );
  return [
    ...full,
    ...reasons,
    cancelled("no body and no type", undefined, null, { "content-type": null }),
    cancelled("an empty body", "", null),
    cancelled("an empty object", {}, null),
    cancelled("an unknown member", { Reason: "x" }, null),
    created("composed", "payment", changed(BODIES.payment, "merchant_reference", "same-\u00e9-{{run}}"), [
      "merchant_reference",
    ]),
    created("decomposed", "payment", changed(BODIES.payment, "merchant_reference", "same-e\u0301-{{run}}"), [
      "merchant_reference",
    ]),
    created("in capitals", "payment", changed(BODIES.payment, "merchant_reference", "SAME-\u00c9-{{run}}"), [
      "merchant_reference",
    ]),
    created("an empty customer", "payment", { ...BODIES.payment, customer: {} }),
    created("the smallest amount", "payout", { ...BODIES.payout, amount: "1" }, ["amount"]),
    created("a currency of three digits", "payout", { ...BODIES.payout, currency: "KWD", country: "KW" }, [
      "amount",
      "currency",
    ]),
    created("a currency of no digits", "payout", { ...BODIES.payout, currency: "JPY", country: "JP" }, [
      "amount",
      "currency",
    ]),
    created("a token", "payout", { ...BODIES.payout, currency: "USDT" }, ["amount", "currency"]),
    created(
      "an amount of 30 digits",
      "topup",
      changed(BODIES.topup, "destination", { amount: `1${"0".repeat(29)}`, currency: "USDT" }),
      ["destination.amount"],
    ),
    created("15 digits of an ISO currency", "topup", changed(BODIES.topup, "destination.amount", "999999999999900"), [
      "destination.amount",
    ]),
  ];
}

const KEYS: Readonly<Record<string, string>> = {
  "of 255 characters": "{{repeat:231:k}}{{reference}}",
  "with every punctuation mark": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~{{reference}}",
  "with spaces and a comma": "a, b {{reference}}",
  "in the form of SQL": "' OR '1'='1 {{reference}}",
  "in the form of a UUID": "3f2504e0-4f89-41d3-9a0c-{{reference}}",
};

function keys(): OddInput[] {
  return Object.entries(KEYS).map(([what, key]) => {
    const one = created(`a key ${what}`, "topup", BODIES.topup, ["destination.amount"]);
    return { ...one, headers: { "idempotency-key": key } };
  });
}

export function oddInputs(): OddInput[] {
  return [...naughty(), ...unknownMembers(), ...texts(), ...lengths(), ...keys(), ...oddQueries()];
}
