// Changes are reported at the start and after each change, of this merchant only, until the signal aborts.
import { afterAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "./idempotency/completion";
import { liveChanges } from "./live-changes";
import { createPaymentIntent } from "./payments/create";

afterAll(() => disconnect());

const pay = ({ context }: TestMerchant) => createPaymentIntent(context, payment(), withoutIdempotency());

it("yields at the start and after each change of the merchant, and ends on abort", async () => {
  const [mine, other] = [await makeMerchant(), await makeMerchant()];
  const listening = new AbortController();
  const changes = liveChanges(mine.merchantId, listening.signal);
  expect(await changes.next()).toEqual({ value: "changed", done: false });

  let hasTold = false;
  const second = changes.next().then((told) => {
    hasTold = true;
    return told;
  });
  await pay(other);
  // Long enough to report its own change.
  const own = liveChanges(other.merchantId, listening.signal);
  await own.next();
  await pay(other);
  await own.next();
  expect(hasTold).toBe(false);
  await pay(mine);
  expect(await second).toEqual({ value: "changed", done: false });

  const last = changes.next();
  listening.abort();
  expect(await last).toEqual({ value: undefined, done: true });
});
