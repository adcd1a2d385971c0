// A request whose call to the provider takes longer than its merchant's move waits.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type FakePsp, startFakePsp } from "@/e2e/support/fake-psp/start";
import { inCell, inEachCell } from "@/server/platform/cell";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { call } from "./testing/api-call";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();
let psp: FakePsp;
beforeAll(async () => {
  psp = await startFakePsp();
  configureGateways(JSON.stringify([psp.config()]));
  configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: psp.name }] }]));
});
afterAll(async () => {
  configureGateways(null);
  configureRoutes(null);
  await psp.stop();
});

it("is answered once under its key, with one payment at the provider", async () => {
  const merchant = await inCell(main(), makeLiveMerchant);
  const key = await inCell(main(), () => createApiKey(merchant.context, "Key"));
  const post = (name: string) => {
    const body = { amount: "1050", currency: "BRL", country: "BR", payment_method: "BR_PIX", merchant_reference: name };
    return call(key, { method: "POST", path: "/payment_intents", body, idempotencyKey: name });
  };
  await psp.misbehave({ mode: "delay", ms: 9_000, kind: "payments", operation: "create", times: 1 });
  const first = post("slow");
  await vi.waitFor(async () => expect((await psp.calls()).length).toBeGreaterThan(0), {
    timeout: 10_000,
    interval: 20,
  });
  const moving = move(merchant.merchantId, eu2());
  // A retry at the same time, as an impatient client sends it.
  const retries = (async () => {
    for (;;) {
      const answer = await post("slow");
      if (answer.status !== 503 && answer.status !== 409) return answer;
      await sleep(100);
    }
  })();
  expect(await moving).toMatchObject({ phase: "done" });
  const [one, other] = await Promise.all([first, retries]);
  expect(other.status).toBe(201);
  expect(one.status === 503 ? other : one).toEqual(other);
  expect(await post("slow")).toEqual(other);
  const rows = await sql(eu2(), "SELECT id FROM payment_intent WHERE merchant_id = $1", merchant.merchantId);
  expect(rows).toHaveLength(1);
  const references = new Set(
    (await psp.calls())
      .filter(({ method, path }) => method === "POST" && path.includes("payment"))
      .map((call) => call.idempotency_key),
  );
  expect(references.size).toBe(1);
  await inEachCell(requireInvariants);
});
