// Proves that a process which stops between the announcement of a call and the call does not send it after it continues.

import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { now } from "@/server/platform/clock";
import { forgetBreakers } from "@/server/psp/breakers";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import type * as calls from "./call";
import { followUp } from "./follow-up";
import { getIntent } from "./read";

const stop = vi.hoisted(() => ({ forMs: 0 }));

// The time these tests set is what the service takes for the database's.
vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));
// The process stops after the call was announced and before it is made.
vi.mock("./call", async (original) => {
  const actual = await original<typeof calls>();
  const callForNewWork: typeof actual.callForNewWork = (...call) => {
    vi.setSystemTime(Date.now() + stop.forMs);
    stop.forMs = 0;
    return actual.callForNewWork(...call);
  };
  return { ...actual, callForNewWork };
});

const HOUR = 60 * 60_000;

let server: LocalServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startLocalServer();
  server.respond = ({ method, body }, response) => {
    if (method === "GET") json(404, { error: { code: "unknown_reference" } })({} as never, response);
    else json(200, { ...(JSON.parse(body) as object), status: "pending" })({} as never, response);
  };
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  server.received.length = 0;
  const secret = "a secret of at least thirty-two characters";
  const bridge = { name: "acme", url: server.url, secret, payment_methods: "all", payout_currencies: "all" };
  configureGateways(JSON.stringify([bridge]));
  configureRoutes(null);
  forgetBreakers();
  merchant = await makeLiveMerchant();
});
afterEach(async () => {
  vi.useRealTimers();
  await requireInvariants();
});
afterAll(() => server.stop());

const posts = () => server.received.filter(({ method }) => method === "POST").length;
const outcomesOf = async ({ id }: { readonly id: string }) =>
  (
    await query<{ outcome: string }>("SELECT outcome FROM provider_attempt WHERE intent_id = $1 ORDER BY ordinal", id)
  ).map(({ outcome }) => outcome);

it("a worker that stops for an hour does not send the payout, and a later look announces and sends it once", async () => {
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  stop.forMs = HOUR;
  await followUp(PAYOUTS, intent, now);
  expect([posts(), await outcomesOf(intent)]).toEqual([0, ["not_sent"]]);
  await followUp(PAYOUTS, await getIntent(PAYOUTS, merchant.scope, intent.id), now);
  expect([posts(), await outcomesOf(intent)]).toEqual([1, ["not_sent", "pending"]]);
});

it("a request that stops for an hour does not send the payment", async () => {
  stop.forMs = HOUR;
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  expect(intent).toMatchObject({ status: "processing", failure: null });
  expect([posts(), await outcomesOf(intent)]).toEqual([0, ["not_sent"]]);
});
