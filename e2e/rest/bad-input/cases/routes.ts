// Cases of paths and methods: paths that do not exist, and paths that exist for another method.
import type { BadInput } from "../table";

const NOT_FOUND = { status: 404, code: "not_found" };

/** Every path of the service with its methods, in the order of the Allow header. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/v1/payment_intents": ["POST", "GET"],
  "/v1/payment_intents/{{payment_id}}": ["GET"],
  "/v1/payout_intents": ["POST", "GET"],
  "/v1/payout_intents/{{payout_id}}": ["GET"],
  "/v1/payout_intents/{{payout_id}}/cancel": ["POST"],
  "/v1/topup_intents": ["POST", "GET"],
  "/v1/topup_intents/{{topup_id}}": ["GET"],
  "/v1/wallets": ["GET"],
  "/v1/payment_methods": ["GET"],
  "/v1/webhook_events": ["GET"],
  "/v1/sandbox/simulate": ["POST"],
  "/v1/events": ["GET"],
  "/v1/events/evt_1": ["GET"],
  "/v1/events/evt_1/deliveries": ["GET"],
  "/v1/deliveries/dlv_1/resend": ["POST"],
  "/v1/webhook_endpoints": ["POST", "GET"],
  "/v1/webhook_endpoints/we_1": ["PATCH", "DELETE", "GET"],
  "/v1/webhook_endpoints/we_1/rotate_secret": ["POST"],
  "/v1/webhook_endpoints/we_1/test": ["POST"],
  "/v1/webhook_endpoints/we_1/replay": ["POST"],
  "/v1/api_logs": ["GET"],
  "/v1/api_logs/req_1": ["GET"],
  "/v1/sandbox/clock": ["GET", "POST"],
};
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Methods that Node parses and no part of the service supports. */
const UNKNOWN_METHODS =
  "PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK PURGE LINK UNLINK REPORT SEARCH SUBSCRIBE MERGE TRACE".split(" ");

const UNKNOWN_PATHS: readonly string[] = [
  ..."/v1 /v1/ /v1// /v1/x /v1/payment_intent /v1/payment-intents /v1/paymentIntents /v1/Payment_Intents /v1/PAYMENT_INTENTS".split(
    " ",
  ),
  ..."/v1/payments /v1/charges /v1/payouts /v1/topups /v1/intents /v1/merchants /v1/keys /v1/members /v1/event".split(
    " ",
  ),
  ..."/v1/payment_intents/ /v1//payment_intents /v1/payment_intents// /v1/payment_intents/{{payment_id}}/ /v1/wallets/".split(
    " ",
  ),
  ..."/v1/payment_intents/{{payment_id}}/cancel /v1/payment_intents/{{payment_id}}/refund /v1/topup_intents/{{topup_id}}/cancel".split(
    " ",
  ),
  ..."/v1/payout_intents/{{payout_id}}/approve /v1/payout_intents/{{payout_id}}/cancel/ /v1/payout_intents/{{payout_id}}/cancel/x".split(
    " ",
  ),
  ..."/v1/payout_intents/{{payout_id}}/Cancel /v1/payout_intents/{{payout_id}}/cancellation /v1/payout_intents//cancel /v1/wallets/BRL /v1/wallets.json".split(
    " ",
  ),
  ..."/v1/payment_methods/BR_PIX /v1/webhook_events/payment_intent.succeeded /v1/webhooks /v1/deliveries /v1/deliveries/dlv_1 /v1/sandbox /v1/sandbox/simulate/x".split(
    " ",
  ),
  ..."/v1/sandbox/clock/x /v1/admin /v1/debug /v1/health /v1/healthz /v1/metrics /v1/openapi.json /v1/graphql /v1/trpc /v1/api".split(
    " ",
  ),
  ..."/v1/.env /v1/.git/config /v1/package.json /v1/index.html /v1/favicon.ico /v1/robots.txt /v1/wp-login.php /v1/cgi-bin/sh".split(
    " ",
  ),
  ..."/v1/%ff /v1/%zz /v1/% /v1/%00 /v1/%2e /v1/%2f /v1/payment%5fintents /v1/payment_intents%2f{{payment_id}} /v1/wallets%00".split(
    " ",
  ),
  ..."/v1/wallets%20 /v1/wallets; /v1/wallets;a=b /v1/wallets%3Flimit=1 /v1/wallets%0d%0a /v1/v1/wallets /v1/__proto__".split(
    " ",
  ),
  ..."/v1/constructor /v1/toString /v1/* /v1/{path} /v1/:id /v1/~ /v1/$ /v1/@ /v1/! /v1/\u2215wallets /v1/w\u0430llets".split(
    " ",
  ),
].map((path) => path.replace(/[^\x20-\x7e]/g, encodeURIComponent));

function wrongMethods(): BadInput[] {
  return Object.entries(ROUTES).flatMap(([path, allowed]) =>
    METHODS.filter((method) => !allowed.includes(method)).map((method): BadInput => {
      const expect = { status: 405, code: "method_not_allowed", allow: allowed.join(", ") };
      const body = method === "POST" ? { body: {} } : {};
      return { name: `${method} ${path}`, method, path, ...body, expect };
    }),
  );
}

export function routeCases(): BadInput[] {
  const paths = UNKNOWN_PATHS.flatMap((path, index) => {
    const other = METHODS[1 + (index % 4)] ?? "POST";
    return ["GET", other].map((method): BadInput => {
      const body = method === "POST" ? { body: {} } : {};
      return { name: `${method} ${path}`, method, path, ...body, expect: NOT_FOUND };
    });
  });
  const unknown = UNKNOWN_METHODS.map((method, index): BadInput => {
    const path = Object.keys(ROUTES)[index % 11] ?? "/v1";
    // Nothing here supports the method, so what it would require is not checked.
    return {
      name: `${method} ${path}`,
      method,
      path,
      expect: { status: 405, code: "method_not_allowed", allow: "GET, POST" },
    };
  });
  const long = [4_096, 5_000, 8_000].flatMap((length): BadInput[] => [
    {
      name: `a path of ${length} characters`,
      method: "GET",
      path: `/v1/payment_intents/{{repeat:${length}:x}}`,
      expect: { status: 400, code: "validation_failed" },
    },
    {
      name: `a query of ${length} characters`,
      method: "GET",
      path: `/v1/payment_intents?merchant_reference={{repeat:${length}:x}}`,
      expect: { status: 400, code: "validation_failed" },
    },
  ]);
  return [...paths, ...wrongMethods(), ...unknown, ...long];
}
