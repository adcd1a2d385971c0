// Staff see where an intent went and why.
import { expect, it } from "vitest";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { intentHistory } from "./history";

it("tells the decision, whom it left, and every call in order", async () => {
  const { a } = installScriptedProviders("a", "b");
  a.answer = { kind: "not_sent", detail: "refused" };
  const { context, scope } = await makeMerchant();
  const live = { ...context, scope: { ...scope, environment: "live" as const } };
  const { intent } = await createPaymentIntent(live, payment(), withoutIdempotency());
  expect(await intentHistory(intent)).toMatchObject({
    routing: {
      provider: "b",
      route: "ROUTES[0]",
      order: ["a", "b"],
      skipped: [],
      left: [{ provider: "a", reason: "not_sent" }],
    },
    attempts: [
      { ordinal: 1, provider: "a", outcome: "not_sent" },
      { ordinal: 2, provider: "b", outcome: "pending" },
    ],
  });
});
