// Tests of endpoints are limited, in the dashboard and by keys alike.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keyed, makeMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { answerOnce } from "../idempotency/once";
import { testWebhookEndpoint } from "./test-endpoint";
import { makeEndpoint } from "./testing/deliveries";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";

let received = 0;
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    received += 1;
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const outcomeOf = (test: Promise<unknown>) =>
  test.then(
    () => "sent",
    (error: unknown) => (error as { code: string }).code,
  );

it("retries under the key of a test in progress do not count as tests", async () => {
  const merchant = await makeMerchant();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { endpoint } = await makeEndpoint(merchant, url);
  const command = { id: endpoint.id, type: "payment_intent.succeeded" } as const;
  const present = () => ({ status: 200, body: "{}" });
  const retry = () =>
    answerOnce(
      keyed(merchant, "test"),
      async (lease) => {
        await testWebhookEndpoint(merchant.context, command, { lease, present });
        return present();
      },
      ({ message }) => ({ status: 409, body: message }),
    );
  const retries = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(retry())));
  expect(retries).not.toContain("rate_limited");
  for (let left = 5; left > 0; left -= 1)
    expect(await outcomeOf(testWebhookEndpoint(merchant.context, command, withoutIdempotency()))).toBe("sent");
  received = 0;
});

it("an endpoint receives at most six of 20 tests at once; the others answer rate_limited", async () => {
  const merchant = await makeMerchant();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const { endpoint } = await makeEndpoint(merchant, url);
  const command = { id: endpoint.id, type: "payment_intent.succeeded" } as const;
  const tests = Array.from({ length: 20 }, () =>
    outcomeOf(testWebhookEndpoint(merchant.context, command, withoutIdempotency())),
  );
  const outcomes = await Promise.all(tests);
  expect(outcomes.filter((outcome) => outcome === "sent")).toHaveLength(6);
  expect(outcomes.filter((outcome) => outcome === "rate_limited")).toHaveLength(14);
  expect(received).toBe(6);
});
