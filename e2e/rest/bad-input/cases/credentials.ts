// Cases of credentials: every failure gets the same 401, on every operation and before any other check.
import { BODIES, PATHS } from "../bodies";
import type { BadInput, HeaderValues } from "../table";

const UNAUTHORIZED = { status: 401, code: "unauthorized" };
const PAIR = "{{public_key}}:{{secret_key}}";
const basic = (pair: string) => `Basic {{base64:${pair}}}`;
const padded = "{{repeat:24:a}}";

const WRONG: Readonly<Record<string, string | readonly string[] | null>> = {
  "an empty header": "",
  "the scheme alone": "Basic",
  "the scheme and a space": "Basic ",
  Bearer: "Bearer {{secret_key}}",
  "Bearer with the pair": `Bearer {{base64:${PAIR}}}`,
  Digest: 'Digest username="{{public_key}}", realm="merchant-api"',
  Negotiate: `Negotiate {{base64:${PAIR}}}`,
  "an unknown scheme": `Sluice {{base64:${PAIR}}}`,
  "the scheme misspelled": `Basik {{base64:${PAIR}}}`,
  "a colon after the scheme": `Basic: {{base64:${PAIR}}}`,
  "the scheme glued to the pair": `Basic{{base64:${PAIR}}}`,
  "the pair without a scheme": `{{base64:${PAIR}}}`,
  "the pair in plain": `Basic ${PAIR}`,
  "the pair in plain without a scheme": PAIR,
  "the secret alone": "{{secret_key}}",
  "the secret alone after the scheme": "Basic {{secret_key}}",
  "the secret alone in base64": basic("{{secret_key}}"),
  "the public key alone": basic("{{public_key}}"),
  "the public key and a colon": basic("{{public_key}}:"),
  "a colon alone": basic(":"),
  "a colon and the secret": basic(":{{secret_key}}"),
  "nothing in base64": basic(""),
  "no colon": basic("{{public_key}}{{secret_key}}"),
  "a semicolon for the colon": basic("{{public_key}};{{secret_key}}"),
  "an encoded colon": basic("{{public_key}}%3A{{secret_key}}"),
  "two colons": basic("{{public_key}}::{{secret_key}}"),
  "a colon more": basic(`${PAIR}:`),
  "a colon first": basic(`:${PAIR}`),
  "something after another colon": basic(`${PAIR}:admin`),
  "the pair turned round": basic("{{secret_key}}:{{public_key}}"),
  "the public key twice": basic("{{public_key}}:{{public_key}}"),
  "the secret twice": basic("{{secret_key}}:{{secret_key}}"),
  "a live public key and a test secret": basic("{{live_public_key}}:{{secret_key}}"),
  "a test public key and a live secret": basic("{{public_key}}:{{live_secret_key}}"),
  "another merchant's secret": basic("{{public_key}}:{{stranger_secret_key}}"),
  "another merchant's public key": basic("{{stranger_public_key}}:{{secret_key}}"),
  "a revoked pair": basic("{{revoked_public_key}}:{{revoked_secret_key}}"),
  "a revoked public key and a good secret": basic("{{revoked_public_key}}:{{secret_key}}"),
  "the public key of a revoked secret": basic("{{public_key}}:{{revoked_secret_key}}"),
  "an unknown pair of the right form": basic(`pk_test_${padded}:sk_test_{{repeat:43:a}}`),
  "an unknown live pair of the right form": basic(`pk_live_${padded}:sk_live_{{repeat:43:a}}`),
  "an unknown public key": basic(`pk_test_${padded}:{{secret_key}}`),
  "an unknown secret": basic("{{public_key}}:sk_test_{{repeat:43:a}}"),
  "the secret without its last character": basic("{{public_key}}:{{cut:50:{{secret_key}}}}"),
  "the secret and more": basic(`${PAIR}a`),
  "the secret with its last character changed": basic("{{public_key}}:{{flip:50:{{secret_key}}}}"),
  "the secret with its first random character changed": basic("{{public_key}}:{{flip:8:{{secret_key}}}}"),
  "the secret in capitals": basic("{{public_key}}:{{upper:{{secret_key}}}}"),
  "the secret in small letters": basic("{{public_key}}:{{lower:{{secret_key}}}}"),
  "the secret after a space": basic("{{public_key}}: {{secret_key}}"),
  "the secret and a space": basic(`${PAIR} `),
  "the secret and a line feed": basic(`${PAIR}\n`),
  "the secret and a NUL": basic(`${PAIR}\0`),
  "the secret in quotes": basic('{{public_key}}:"{{secret_key}}"'),
  "the secret without its prefix": basic("{{public_key}}:{{repeat:43:b}}"),
  "a public key in capitals": basic("{{upper:{{public_key}}}}:{{secret_key}}"),
  "a public key after a space": basic(` ${PAIR}`),
  "a public key and a space": basic("{{public_key}} :{{secret_key}}"),
  "a public key and a NUL": basic("{{public_key}}\0:{{secret_key}}"),
  "a public key with its last character changed": basic("{{flip:31:{{public_key}}}}:{{secret_key}}"),
  "a public key with another environment's prefix": basic("pk_prod_{{repeat:24:a}}:{{secret_key}}"),
  "an SQL condition": basic("' OR '1'='1:{{secret_key}}"),
  "an SQL wildcard": basic("pk_test_%:{{secret_key}}"),
  "a member's address": basic("finance@example.com:correct horse battery staple"),
  "names of JavaScript": basic("__proto__:constructor"),
  "a byte order mark": basic(`\ufeff${PAIR}`),
  "8 KB": basic("{{repeat:6000:a}}:b"),
  "8 KB of secret": basic("{{public_key}}:{{repeat:6000:a}}"),
  "no base64": "Basic %%%",
  "base64 with a character of no alphabet": `Basic {{base64:${PAIR}}}!`,
  "base64 with spaces within": "Basic cGtf dGVz dA==",
  "base64 with three paddings": `Basic {{base64:a:b}}===`,
  "padding alone": "Basic ==",
  "the pair in base64 twice": `Basic {{base64:{{base64:${PAIR}}}}}`,
  "the pair in quotes": `Basic "{{base64:${PAIR}}}"`,
  "two pairs after one scheme": `Basic {{base64:${PAIR}}} {{base64:${PAIR}}}`,
  "two pairs and a comma": `Basic {{base64:${PAIR}}}, Basic {{base64:${PAIR}}}`,
  "a parameter after the pair": `Basic {{base64:${PAIR}}}; charset=utf-8`,
  "the header twice": ["{{auth}}", "{{auth}}"],
  "a good header and another one": ["{{auth}}", "Bearer x"],
  "another header and a good one": ["Bearer x", "{{auth}}"],
  "an accent": basic("{{public_key}}:cl\u00e9"),
  "full-width letters": basic("\uff50\uff4b_test:{{secret_key}}"),
};

/** A cheap call of every operation that needs credentials, and of a route and a method that do not exist. */
const CALLS: readonly Pick<BadInput, "method" | "path" | "body" | "headers">[] = [
  { method: "GET", path: "/v1/payment_intents" },
  { method: "POST", path: PATHS.payment, body: BODIES.payment },
  { method: "GET", path: "/v1/payment_intents/{{payment_id}}" },
  { method: "GET", path: "/v1/payout_intents" },
  { method: "POST", path: PATHS.payout, body: BODIES.payout },
  { method: "GET", path: "/v1/payout_intents/{{payout_id}}" },
  { method: "POST", path: PATHS.cancel, body: {} },
  { method: "GET", path: "/v1/topup_intents" },
  { method: "POST", path: PATHS.topup, body: BODIES.topup, headers: { "idempotency-key": "{{reference}}" } },
  { method: "GET", path: "/v1/topup_intents/{{topup_id}}" },
  { method: "GET", path: "/v1/wallets" },
  { method: "GET", path: "/v1/payment_methods" },
  { method: "POST", path: PATHS.simulate, body: { id: "{{payment_id}}", outcome: "succeeded" } },
  { method: "GET", path: "/v1/no_such_route" },
  { method: "DELETE", path: "/v1/payment_intents" },
  { method: "POST", path: "/v1/webhook_events", body: {} },
];

/** Credentials in places where the service does not read them, and other faults that the answer must not reveal. */
const ELSEWHERE: Readonly<
  Record<string, Pick<BadInput, "path" | "method"> & { headers?: HeaderValues; body?: string }>
> = {
  "a pair in the query": { method: "GET", path: "/v1/wallets?public_key={{public_key}}&secret_key={{secret_key}}" },
  "a pair in the query as authorization": { method: "GET", path: "/v1/wallets?authorization=Basic%20{{base64:a:b}}" },
  "a pair in a header of its own": {
    method: "GET",
    path: "/v1/wallets",
    headers: { "x-api-key": "{{secret_key}}", "x-public-key": "{{public_key}}" },
  },
  "a pair in Proxy-Authorization": {
    method: "GET",
    path: "/v1/wallets",
    headers: { "proxy-authorization": "{{auth}}" },
  },
  "a pair in X-Authorization": { method: "GET", path: "/v1/wallets", headers: { "x-authorization": "{{auth}}" } },
  "a pair in a cookie": { method: "GET", path: "/v1/wallets", headers: { cookie: "authorization={{secret_key}}" } },
  "a middleware's header": { method: "GET", path: "/v1/wallets", headers: { "x-middleware-subrequest": "middleware" } },
  "a forwarded user": {
    method: "GET",
    path: "/v1/wallets",
    headers: { "x-forwarded-user": "admin", "x-real-ip": "127.0.0.1" },
  },
  "a method override": { method: "POST", path: "/v1/wallets", headers: { "x-http-method-override": "GET" }, body: "" },
  "a wrong media type": { method: "POST", path: PATHS.payment, headers: { "content-type": "text/plain" }, body: "x" },
  "a wrong body": { method: "POST", path: PATHS.payment, body: "{" },
  "a wrong key": { method: "POST", path: PATHS.payment, headers: { "idempotency-key": "cl\u00e9" }, body: "{}" },
  "a wrong query": { method: "GET", path: "/v1/payment_intents?limit=0&status=nothing&currency=%ff" },
  "a wrong id": { method: "GET", path: "/v1/payment_intents/%00" },
  "a wrong escape": { method: "GET", path: "/v1/%zz" },
  "a body that is too large": { method: "POST", path: PATHS.payment, body: "{{repeat:70000:x}}" },
};

export function credentialCases(): BadInput[] {
  const wrong = Object.entries(WRONG).flatMap(([what, authorization], index) =>
    [CALLS[index % CALLS.length], CALLS[(index + 7) % CALLS.length]].map((call): BadInput => {
      const headers = { ...call?.headers, authorization };
      return { ...call, name: `${call?.method} ${call?.path}: ${what}`, headers, expect: UNAUTHORIZED };
    }),
  );
  const none = CALLS.map((call): BadInput => {
    const headers = { ...call.headers, authorization: null };
    return { ...call, name: `${call.method} ${call.path} without credentials`, headers, expect: UNAUTHORIZED };
  });
  const elsewhere = Object.entries(ELSEWHERE).map(([what, call]): BadInput => {
    const headers = { ...call.headers, authorization: null };
    return { ...call, name: `no credentials but ${what}`, headers, expect: UNAUTHORIZED };
  });
  return [...wrong, ...none, ...elsewhere];
}
