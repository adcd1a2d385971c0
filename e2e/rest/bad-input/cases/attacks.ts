// Cases of attacks: members that would pollute prototypes, assign protected fields, or inject.
import { BODIES, bodyCase, changed, headersOf, PATHS } from "../bodies";
import { invalid, type Operation } from "../oracle";
import { KINDS, LISTS } from "../oracle-query";
import type { BadInput } from "../table";

/** A valid member hidden where JavaScript would inherit it: the body itself lacks it. */
function hidden(): BadInput[] {
  const places: readonly ((member: string) => string)[] = [
    (member) => `"__proto__":{${member}}`,
    (member) => `"constructor":{"prototype":{${member}}}`,
    (member) => `"prototype":{${member}}`,
    (member) => `"__proto__":{"__proto__":{${member}}}`,
    (member) => `"\\u005f_proto__":{${member}}`,
  ];
  return (["payment", "payout"] as const).flatMap((operation) =>
    Object.entries(BODIES[operation]).flatMap(([name, value]) =>
      places.map((place): BadInput => {
        const rest = JSON.stringify(changed(BODIES[operation], name, undefined)).slice(1);
        const body = `{${place(`${JSON.stringify(name)}:${JSON.stringify(value)}`)},${rest}`;
        const path = PATHS[operation];
        const where = place("\u2026").replace(/[^\w\\].*$/, "");
        return {
          name: `${operation}: ${name} in ${place("\u2026")}${where}`,
          method: "POST",
          path,
          body,
          expect: invalid(name),
        };
      }),
    ),
  );
}

/** Names of fields in other systems; none of them replaces ours. */
const OTHER_NAMES: readonly (readonly [Operation, string, readonly string[]])[] = [
  [
    "payment",
    "amount",
    ["Amount", "AMOUNT", "amount ", " amount", "amount_minor", "value", "\u0430mount", "amount\u200b", "amount[]"],
  ],
  ["payment", "payment_method", ["paymentMethod", "payment-method", "method", "Payment_Method", "payment_method_id"]],
  [
    "payment",
    "merchant_reference",
    ["merchantReference", "reference", "order_id", "merchant-reference", "Merchant_Reference"],
  ],
  [
    "payout",
    "recipient",
    ["Recipient", "beneficiary", "destination", "recipients", "recipient[type]", "recipient.type"],
  ],
  ["topup", "destination", ["Destination", "target", "destination[amount]", "destination.amount"]],
  ["topup", "source", ["Source", "from", "sources", "source.type"]],
];

function otherNames(): BadInput[] {
  return OTHER_NAMES.flatMap(([operation, field, names]) =>
    names.map((name): BadInput => {
      const base: Record<string, unknown> = { ...BODIES[operation] };
      const body = { ...changed(base, field, undefined), [name]: base[field] };
      const expect = invalid(field);
      const path = PATHS[operation];
      return {
        name: `${operation}: ${field} as ${JSON.stringify(name)}`,
        method: "POST",
        path,
        ...headersOf(operation),
        body,
        expect,
      };
    }),
  );
}

/** Text that other interpreters would execute. */
const INJECTIONS: Readonly<Record<string, string>> = {
  "an SQL comment": "BRL'--",
  "an SQL condition": "' OR 1=1 --",
  "an SQL union": "' UNION SELECT secret_hash FROM api_key --",
  "an SQL statement": "'; DROP TABLE merchant; --",
  "an SQL delay": "'; SELECT pg_sleep(5); --",
  "an SQL cast": "1::text",
  "a dollar quote": "$$;SELECT 1;$$",
  "an SQL parameter": "$1",
  "a backslash and a quote": "\\'",
  "a NoSQL operator": '{"$gt":""}',
  "a shell command": "$(sleep 5)",
  "a shell command in back quotes": "`sleep 5`",
  "a shell pipe": "| cat /etc/passwd",
  "a template": "{{7*7}}",
  "a template of another kind": "${7*7}",
  "a template of a third kind": "<%= 7*7 %>",
  "a lookup": "${jndi:ldap://127.0.0.1/a}",
  "a script": "<script>alert(1)</script>",
  "a picture": '"><img src=x onerror=alert(1)>',
  "an entity": "&lt;script&gt;",
  "an XML entity": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
  "a forged header": "BRL\r\nSet-Cookie: a=b",
  "a forged log line": 'BRL\n{"level":60,"msg":"forged"}',
  "a terminal's escape": "\u001b[2J\u001b[31m",
  "a formula": "=cmd|'/C calc'!A0",
  "a format": "%s%s%n%x",
  "an LDAP filter": "*)(uid=*))(|(uid=*",
  "an XPath": "' or '1'='1' or ''='",
  "a path": "../../../../etc/passwd",
  "a Windows path": "..\\..\\windows\\win.ini",
  "a URL": "http://169.254.169.254/latest/meta-data/",
  "a JavaScript URL": "javascript:alert(1)",
  "a right-to-left override": "\u202eLRB",
  "a server side include": '<!--#exec cmd="id"-->',
  "an expression that never ends": "((((((((((a+)+)+)+)+)+)+)+)+)+)$",
  "many backtracks": "{{repeat:5000:A}}!",
};

const TYPED: readonly (readonly [Operation, string])[] = [
  ["payment", "amount"],
  ["payment", "currency"],
  ["payment", "payment_method"],
  ["payout", "country"],
  ["payout", "recipient.account_number"],
  ["payout", "recipient.type"],
  ["topup", "source.network"],
  ["topup", "source.provider"],
];

function injections(): (BadInput | null)[] {
  const entries = Object.entries(INJECTIONS);
  const bodies = entries.flatMap(([what, text], index) =>
    [0, 3, 5].map((step) => {
      const [operation, path] = TYPED[(index + step) % TYPED.length] ?? ["payment", "amount"];
      return bodyCase(`${operation}: ${path} is ${what}`, operation, changed(BODIES[operation], path, text));
    }),
  );
  const parameters = ["limit", "status", "currency", "country", "created_after", "cursor"];
  const queries = entries.map(([what, text], index): BadInput => {
    const kind = KINDS[index % KINDS.length] ?? "payment";
    const name = parameters[index % parameters.length] ?? "limit";
    const value = encodeURIComponent(text).replaceAll("%7B%7Brepeat%3A5000%3AA%7D%7D", "{{repeat:3000:A}}");
    return {
      name: `${kind} list: ${name} is ${what}`,
      method: "GET",
      path: `${LISTS[kind]}?${name}=${value}`,
      expect: invalid(name),
    };
  });
  const outcomes = entries.map(([what, text]): BadInput => {
    const body = { id: "{{payment_id}}", outcome: text };
    return {
      name: `simulate: outcome is ${what}`,
      method: "POST",
      path: PATHS.simulate,
      body,
      expect: invalid("outcome"),
    };
  });
  return [...bodies, ...queries, ...outcomes];
}

/** Outcomes of other kinds, or of no kind. */
const OUTCOMES: readonly (readonly [string, readonly string[]])[] = [
  [
    "payment",
    [
      "settled",
      "funds_seen",
      "underpaid",
      "overpaid",
      "invalid_recipient",
      "Succeeded",
      "succeeded ",
      "refunded",
      "",
      "__proto__",
      "constructor",
      "toString",
    ],
  ],
  ["topup", ["settled", "pending", "requires_action", "invalid_recipient", "paid", "", "hasOwnProperty"]],
];

function outcomes(): BadInput[] {
  return OUTCOMES.flatMap(([kind, names]) =>
    names.map((outcome): BadInput => {
      const body = { id: `{{${kind}_id}}`, outcome };
      const name = `simulate: ${kind} ${JSON.stringify(outcome)}`;
      return { name, method: "POST", path: PATHS.simulate, body, expect: invalid("outcome") };
    }),
  );
}

/** Cancels payouts that have left the gate, with several reasons. */
function tooLate(): BadInput[] {
  const bodies = [
    {},
    { reason: "again" },
    { reason: "" },
    { status: "requires_approval" },
    { force: true },
    { reason: "{{repeat:512:x}}" },
  ];
  return bodies.map(
    (body): BadInput => ({
      name: `cancelling a cancelled payout with ${JSON.stringify(body)}`,
      method: "POST",
      path: "/v1/payout_intents/{{cancelled_payout_id}}/cancel",
      body,
      expect: { status: 422, code: "approval_required" },
    }),
  );
}

export function attackCases(): BadInput[] {
  return [...hidden(), ...otherNames(), ...injections().filter((one) => one !== null), ...outcomes(), ...tooLate()];
}
