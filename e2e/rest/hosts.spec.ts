// The HTTP edge: every request gets a contract answer, never a 5xx, never a hang.
import { bodyOf, createPayment, refusalOf } from "./calls";
import { basic, expect, test } from "./parties";
import { requestText, sendRaw } from "./raw-http";

interface Envelope {
  readonly error: { readonly code: string; readonly message: string };
}
const codeOf = (text: string) => (JSON.parse(text) as Envelope).error.code;

test.describe("methods", () => {
  for (const method of ["TRACE", "TRACK", "PROPFIND", "CONNECT"]) {
    test(`${method} is not allowed anywhere`, async ({ service }) => {
      const target = method === "CONNECT" ? "example.com:443" : "/v1/payment_intents";
      const { status, text, headers } = await sendRaw(
        service.baseUrl,
        requestText(`${method} ${target} HTTP/1.1`, ["host: x"]),
      );
      expect([400, 405]).toContain(status);
      expect(["method_not_allowed", "validation_failed"]).toContain(codeOf(text));
      if (status === 405) expect(headers.get("allow")).toContain("GET");
    });
  }

  test("a known path with a wrong method answers 405 and lists the allowed ones", async ({ service, ownMerchant }) => {
    for (const [method, path, allow] of [
      ["DELETE", "/v1/payment_intents/dord_01h455vb4pex5vsknk084sn02q", "GET"],
      ["PUT", "/v1/payment_intents", "POST, GET"],
      ["PATCH", "/v1/wallets", "GET"],
      ["GET", "/v1/payout_intents/word_01h455vb4pex5vsknk084sn02q/cancel", "POST"],
    ] as const) {
      const headers = { authorization: basic(ownMerchant.keys.test) };
      const answer = await fetch(service.baseUrl + path, { method, headers });
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.headers.get("allow")).toBe(allow);
      expect(codeOf(await answer.text())).toBe("method_not_allowed");
    }
  });

  test("HEAD has the status and headers of GET, and no body", async ({ service, api, ownMerchant }) => {
    const { id } = await createPayment(api);
    const authorization = { authorization: basic(ownMerchant.keys.test) };
    const compared = ["content-type", "cache-control", "etag", "allow", "www-authenticate", "ignored-parameters"];
    for (const [path, headers] of [
      [`/v1/payment_intents/${id}`, authorization],
      ["/v1/payment_intents?limit=1&unknown=1", authorization],
      ["/v1/payment_intents?limit=0", authorization],
      [`/v1/payout_intents/${id}`, authorization],
      ["/v1/payout_intents/word_01h455vb4pex5vsknk084sn02q/cancel", authorization],
      ["/v1/wallets", {}],
      ["/v1/webhook_events", {}],
    ] as const) {
      const [get, head] = await Promise.all(
        ["GET", "HEAD"].map((method) => fetch(service.baseUrl + path, { method, headers })),
      );
      expect(head?.status, path).toBe(get?.status);
      for (const name of compared) expect(head?.headers.get(name), `${name} of ${path}`).toBe(get?.headers.get(name));
      expect(await get?.text()).not.toBe("");
      expect(await head?.text()).toBe("");
    }
  });
});

test.describe("targets", () => {
  for (const path of [
    "/v1/%ff",
    "/v1/payment_intents/%ff",
    "/v1/payment_intents/%zz",
    "/v1/%",
    "/v1//payment_intents",
  ]) {
    test(`${path} is a path like any other that does not exist`, async ({ service, ownMerchant }) => {
      const headers = [`host: ${new URL(service.baseUrl).host}`, `authorization: ${basic(ownMerchant.keys.test)}`];
      const { status, text } = await sendRaw(service.baseUrl, requestText(`GET ${path} HTTP/1.1`, headers));
      expect(status).toBe(404);
      expect(codeOf(text)).toBe("not_found");
    });
  }

  test("/%ff outside the API is a bad request, not a crash", async ({ service }) => {
    const { status } = await sendRaw(service.baseUrl, requestText("GET /%ff HTTP/1.1", ["host: x"]));
    expect(status).toBe(400);
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  });

  test("a URL of more than 4 KiB is rejected with the envelope; a shorter one is routed", async ({ api }) => {
    const long = await api.get(`/payment_intents?merchant_reference=${"x".repeat(4100)}`);
    expect(refusalOf(long, 400).code).toBe("validation_failed");
    const short = await api.get(`/payment_intents?limit=1&ignored=${"x".repeat(3000)}`);
    expect(short.status).toBe(200);
  });

  test("an unknown route and a foreign id get the same bytes", async ({ api, strangerApi }) => {
    const { id } = await createPayment(api);
    const foreign = await strangerApi.get(`/payment_intents/${id}`);
    const unknown = await strangerApi.get("/no/such/route");
    expect([unknown.status, unknown.text]).toEqual([404, foreign.text]);
    const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== "date").sort();
    expect(names(unknown.headers)).toEqual(names(foreign.headers));
  });
});

test.describe("probes and the document", () => {
  test("liveness and readiness need no credentials", async ({ service }) => {
    for (const [path, status] of [
      ["/healthz", "ok"],
      ["/readyz", "ready"],
    ] as const) {
      const answer = await fetch(service.baseUrl + path);
      expect([answer.status, await answer.json()]).toEqual([200, { status }]);
    }
  });

  test("the OpenAPI document is served to anyone and lists every operation", async ({
    service,
    anonymous,
    document,
  }) => {
    const answer = await fetch(`${service.baseUrl}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("application/json");
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => (operation as { operationId?: string }).operationId),
    );
    expect(new Set(ids)).toEqual(
      new Set([
        "advanceSandboxClock",
        "cancelPayoutIntent",
        "createPaymentIntent",
        "createPayoutIntent",
        "createTopupIntent",
        "createWebhookEndpoint",
        "deleteWebhookEndpoint",
        "getApiLog",
        "getEvent",
        "getPaymentIntent",
        "getPayoutIntent",
        "getSandboxClock",
        "getTopupIntent",
        "getWebhookEndpoint",
        "listApiLogs",
        "listEventDeliveries",
        "listEvents",
        "listPaymentIntents",
        "listPaymentMethods",
        "listPayoutIntents",
        "listTopupIntents",
        "listWallets",
        "listWebhookEndpoints",
        "listWebhookEvents",
        "replayToWebhookEndpoint",
        "resendDelivery",
        "rotateWebhookSecret",
        "simulate",
        "testWebhookEndpoint",
        "updateWebhookEndpoint",
      ]),
    );
    bodyOf(await anonymous.get("/webhook_events"), 200);
  });

  test("no answer reveals the service's components", async ({ service, api }) => {
    const answers = [await fetch(`${service.baseUrl}/v1/wallets`), await fetch(`${service.baseUrl}/healthz`)];
    for (const { headers } of [...answers, await api.get("/wallets")]) {
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("server")).toBeNull();
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});
