// Tests that the route table is complete, unambiguous, and exact about paths.
import { describe, expect, it } from "vitest";
import { KEY_SCOPES } from "@/server/domain/key-scopes";
import { matchPath, OPERATIONS } from "./routes";

/** Every operation, with `+` where it extends the interface document. */
const TABLE = [
  "  POST /payment_intents createPaymentIntent",
  "+ GET /payment_intents listPaymentIntents",
  "  GET /payment_intents/:id getPaymentIntent",
  "  POST /payout_intents createPayoutIntent",
  "  GET /payout_intents listPayoutIntents",
  "  GET /payout_intents/:id getPayoutIntent",
  "  POST /payout_intents/:id/cancel cancelPayoutIntent",
  "  POST /topup_intents createTopupIntent",
  "  GET /topup_intents listTopupIntents",
  "+ GET /topup_intents/:id getTopupIntent",
  "+ GET /payment_methods listPaymentMethods",
  "+ GET /wallets listWallets",
  "  GET /webhook_events listWebhookEvents",
  "+ POST /sandbox/simulate simulate",
  "+ GET /events listEvents",
  "+ GET /events/:id getEvent",
  "+ GET /events/:id/deliveries listEventDeliveries",
  "+ POST /deliveries/:id/resend resendDelivery",
  "+ POST /webhook_endpoints createWebhookEndpoint",
  "+ GET /webhook_endpoints listWebhookEndpoints",
  "+ GET /webhook_endpoints/:id getWebhookEndpoint",
  "+ PATCH /webhook_endpoints/:id updateWebhookEndpoint",
  "+ DELETE /webhook_endpoints/:id deleteWebhookEndpoint",
  "+ POST /webhook_endpoints/:id/rotate_secret rotateWebhookSecret",
  "+ POST /webhook_endpoints/:id/test testWebhookEndpoint",
  "+ POST /webhook_endpoints/:id/replay replayToWebhookEndpoint",
  "+ GET /api_logs listApiLogs",
  "+ GET /api_logs/:id getApiLog",
  "+ GET /sandbox/clock getSandboxClock",
  "+ POST /sandbox/clock advanceSandboxClock",
];

const idOf = (method: string, path: string) => matchPath(path)?.operations.get(method)?.id ?? null;

describe("the table", () => {
  it("has the operations of the interface document and the extensions, each once", () => {
    const lines = OPERATIONS.map(
      ({ extension, method, path, id }) => `${extension ? "+" : " "} ${method} ${path} ${id}`,
    );
    expect([...lines].sort()).toEqual([...TABLE].sort());
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  });

  it("finds every operation by its path, with its parameters", () => {
    for (const { method, path, id } of OPERATIONS) {
      const match = matchPath(path.replace(":id", "word_1"));
      expect(match?.operations.get(method)?.id).toBe(id);
      expect(match?.params).toEqual(path.includes(":id") ? { id: "word_1" } : {});
    }
  });

  it("requires one scope of every operation with credentials, and has an operation for every scope", () => {
    const keyed = OPERATIONS.filter((operation) => "run" in operation);
    for (const { id, method, keyScope } of keyed)
      expect([id, keyScope.endsWith(method === "GET" ? ":read" : ":write")]).toEqual([id, true]);
    expect([...new Set(keyed.map(({ keyScope }) => keyScope))].sort()).toEqual([...KEY_SCOPES].sort());
  });

  it("requires a key only for top-ups", () => {
    const demanding = OPERATIONS.filter((o) => "idempotencyKey" in o && o.idempotencyKey === "required");
    expect(demanding.map(({ id }) => id)).toEqual(["createTopupIntent"]);
  });

  it("declares no success below 200 or above 299, and no code twice", () => {
    for (const { id, answers, errors } of OPERATIONS) {
      expect([id, Object.keys(answers).every((status) => /^20[012]$/.test(status))]).toEqual([id, true]);
      expect(new Set(errors).size).toBe(errors.length);
    }
  });
});

describe("a path", () => {
  it.each([
    "",
    "/",
    "/payment_intents/",
    "//payment_intents",
    "/Payment_Intents",
    "/payment_intents/a/b",
    "/payout_intents/a/cancel/",
    "/payout_intents//cancel/x",
    "/payout_intents/a/approve",
    "/payment_intents/a/cancel",
    "/payment%5fintents",
    "/v1/payment_intents",
    "/__proto__",
    "/webhook_events/x",
  ])("%j matches nothing", (path) => {
    expect(matchPath(path)).toBeNull();
  });

  it("takes an id verbatim, without decoding", () => {
    expect(matchPath("/payment_intents/%2e%2e")?.params).toEqual({ id: "%2e%2e" });
    expect(matchPath("/payment_intents/a%2Fb")?.params).toEqual({ id: "a%2Fb" });
  });

  it("has its methods and no other", () => {
    expect([...(matchPath("/payout_intents")?.operations.keys() ?? [])].sort()).toEqual(["GET", "POST"]);
    expect([...(matchPath("/payout_intents/x/cancel")?.operations.keys() ?? [])]).toEqual(["POST"]);
    expect(["DELETE", "PUT", "HEAD", "get"].map((method) => idOf(method, "/payout_intents"))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
