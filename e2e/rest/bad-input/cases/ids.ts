// Cases of ids: absent, foreign, of another kind, malformed. All get the same 404.
import { PATHS } from "../bodies";
import { KINDS, LISTS, type ListKind } from "../oracle-query";
import type { BadInput, HeaderValues } from "../table";

const NOT_FOUND = { status: 404, code: "not_found" };
const PREFIXES: Readonly<Record<ListKind, string>> = { payment: "dord", payout: "word", topup: "tuin" };
const SUFFIX = "01h455vb4pex5vsknk084sn02q";

/** What can appear in place of an id; `own` is the placeholder of an existing id. */
function malformed(prefix: string, own: string): Readonly<Record<string, string>> {
  return {
    absent: `${prefix}_${SUFFIX}`,
    "all zeros": `${prefix}_${"0".repeat(26)}`,
    "the largest": `${prefix}_7${"z".repeat(25)}`,
    "larger than the largest": `${prefix}_8${"z".repeat(25)}`,
    "without its prefix": SUFFIX,
    "the prefix alone": prefix,
    "the prefix and an underscore": `${prefix}_`,
    "an underscore first": `_${SUFFIX}`,
    "with a hyphen": `${prefix}-${SUFFIX}`,
    "without an underscore": `${prefix}${SUFFIX}`,
    "with two underscores": `${prefix}__${SUFFIX}`,
    "of a merchant": `mer_${SUFFIX}`,
    "of an event": `evt_${SUFFIX}`,
    "of an unknown kind": `pi_${SUFFIX}`,
    "one character short": `${prefix}_${SUFFIX.slice(1)}`,
    "one character long": `${prefix}_${SUFFIX}0`,
    "with a letter the alphabet leaves out": `${prefix}_${SUFFIX.slice(0, -1)}l`,
    "a UUID": "018c1f2e-7b6a-7c3d-9e4f-5a6b7c8d9e0f",
    "a number": "1",
    zero: "0",
    "a negative number": "-1",
    null: "null",
    undefined: "undefined",
    "a variable's name": ":id",
    "a template's name": "%7Bid%7D",
    "an asterisk": "*",
    "a percent sign": "%25",
    "an SQL wildcard": `${prefix}%25`,
    "an underscore wildcard": `${prefix}_${"_".repeat(26)}`,
    "an SQL condition": "1%27%20OR%20%271%27=%271",
    "an SQL statement": `${prefix}_1%27;%20DROP%20TABLE%20payment_intent;--`,
    "a NUL": "%00",
    "a line feed": "%0A",
    "a forged header": "%0d%0aSet-Cookie:%20a=b",
    "an encoded slash": "a%2fb",
    "an encoded way up": "..%2f..%2fetc%2fpasswd",
    "a doubly encoded way up": "%252e%252e%252f",
    "a way up by backslashes": "..%5c..%5cwindows",
    "three dots": "...",
    "bytes that are no UTF-8": "%ff%fe",
    "an escape cut off": "%4",
    "an escape of no digits": "%zz",
    "a lone percent sign": `${prefix}_%`,
    "an overlong slash": "%c0%af",
    "full-width letters": encodeURIComponent("\uff44\uff4f\uff52\uff44_1"),
    "an emoji": "%F0%9F%98%80",
    "500 characters": "{{repeat:500:x}}",
    "3,900 characters": "{{repeat:3900:x}}",
    "a JavaScript member": "__proto__",
    "a list": "[object%20Object]",
    "its own in capitals": `{{upper:${own}}}`,
    "its own reversed": `{{reverse:${own}}}`,
    "its own without the last character": `{{cut:30:${own}}}`,
    "its own with another last character": `{{flip:30:${own}}}`,
    "its own and more": `${own}x`,
    "its own and a dot": `${own}.`,
    "its own and an ending": `${own}.json`,
    "its own and a space": `${own}%20`,
    "its own and a NUL": `${own}%00`,
    "its own and a line feed": `${own}%0a`,
    "its own and a tab": `${own}%09`,
    "its own after a space": `%20${own}`,
    "its own and parameters": `${own};a=b`,
    "its own in quotes": `%22${own}%22`,
    "its own twice": `${own},${own}`,
  };
}

interface Place {
  readonly name: string;
  readonly method: string;
  readonly kind: ListKind;
  readonly after: string;
}

const PLACES: readonly Place[] = [
  ...KINDS.map((kind): Place => ({ name: `read ${kind}`, method: "GET", kind, after: "" })),
  { name: "cancel payout", method: "POST", kind: "payout", after: "/cancel" },
];

function at({ name, method, kind, after }: Place, what: string, idAndQuery: string, headers?: HeaderValues): BadInput {
  const [id, query = ""] = idAndQuery.split(/(?=\?)/);
  return {
    name: `${name}: ${what}`,
    method,
    path: `${LISTS[kind]}/${id}${after}${query}`,
    ...(headers ? { headers } : {}),
    ...(method === "POST" ? { body: {} } : {}),
    expect: NOT_FOUND,
  };
}

function foreign(place: Place): BadInput[] {
  const { kind } = place;
  const live = { authorization: "{{live_auth}}" };
  const stranger = { authorization: "{{stranger_auth}}" };
  const others = KINDS.filter((other) => other !== kind);
  return [
    ...others.map((other) => at(place, `another kind's id, ${other}`, `{{${other}_id}}`)),
    ...others.map((other) => at(place, `another kind's prefix, ${other}`, `${PREFIXES[other]}_${SUFFIX}`)),
    at(place, "another merchant's", `{{stranger_${kind}_id}}`),
    at(place, "the other environment's", `{{${kind}_id}}`, live),
    at(place, "ours, asked for by another merchant", `{{${kind}_id}}`, stranger),
    at(place, "the other environment's, asked for in a query too", `{{${kind}_id}}?environment=test`, live),
    at(place, "the other environment's, asked for in a header too", `{{${kind}_id}}`, { ...live, environment: "test" }),
    at(place, "another merchant's, named in a query", `{{stranger_${kind}_id}}?merchant_id={{stranger_merchant_id}}`),
    at(place, "another merchant's, named in a header", `{{stranger_${kind}_id}}`, {
      "merchant-id": "{{stranger_merchant_id}}",
      "x-merchant-id": "{{stranger_merchant_id}}",
    }),
  ];
}

function simulated(): BadInput[] {
  const ids: Readonly<Record<string, string>> = {
    ...malformed("dord", "{{payment_id}}"),
    "another merchant's payment": "{{stranger_payment_id}}",
    "another merchant's payout": "{{stranger_payout_id}}",
    "another merchant's top-up": "{{stranger_topup_id}}",
    nothing: "",
  };
  const cases = Object.entries(ids).map(([what, id]): BadInput => {
    const body = { id: decodeSafely(id), outcome: "succeeded" };
    return { name: `simulate: ${what}`, method: "POST", path: PATHS.simulate, body, expect: NOT_FOUND };
  });
  const live = { authorization: "{{live_auth}}" };
  const outOfReach = KINDS.map((kind): BadInput => {
    const body = { id: `{{${kind}_id}}`, outcome: "succeeded" };
    const name = `simulate: ${kind} of the test environment with a live key`;
    return { name, method: "POST", path: PATHS.simulate, headers: live, body, expect: NOT_FOUND };
  });
  return [...cases.filter(({ body }) => !JSON.stringify(body).includes("\\u0000")), ...outOfReach];
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Objects of webhooks, where their ids appear. */
const WEBHOOK_PLACES: readonly (readonly [
  name: string,
  prefix: string,
  method: string,
  before: string,
  after: string,
])[] = [
  ["read event", "evt", "GET", "/v1/events/", ""],
  ["list deliveries", "evt", "GET", "/v1/events/", "/deliveries"],
  ["resend delivery", "dlv", "POST", "/v1/deliveries/", "/resend"],
  ["read endpoint", "we", "GET", "/v1/webhook_endpoints/", ""],
  ["change endpoint", "we", "PATCH", "/v1/webhook_endpoints/", ""],
  ["rotate secret", "we", "POST", "/v1/webhook_endpoints/", "/rotate_secret"],
];

function webhookCases(): BadInput[] {
  return WEBHOOK_PLACES.flatMap(([name, prefix, method, before, after]) => {
    // An event's id is one of the wrong ones for all others, and the absent one for events.
    const { "of an event": ofAnEvent, ...others } = malformed(prefix, "{{payment_id}}");
    const ids = prefix === "evt" ? others : { ...others, "of an event": ofAnEvent };
    return Object.entries(ids).map(([what, id]): BadInput => {
      const body = method === "GET" ? {} : { body: {} };
      return { name: `${name}: ${what}`, method, path: `${before}${id}${after}`, ...body, expect: NOT_FOUND };
    });
  });
}

export function idCases(): BadInput[] {
  const places = PLACES.flatMap((place) => [
    ...Object.entries(malformed(PREFIXES[place.kind], `{{${place.kind}_id}}`)).map(([what, id]) => at(place, what, id)),
    ...foreign(place),
  ]);
  return [...places, ...simulated(), ...webhookCases()];
}
