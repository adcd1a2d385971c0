// Changes are reported at the start and after each change, of this merchant only, until the signal aborts.
import { afterAll, expect, it, vi } from "vitest";
import * as log from "@/server/db/audit/log";
import { disconnect } from "@/server/db/client";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "./idempotency/completion";
import { liveChanges, requireFreeStream } from "./live-changes";
import { createPaymentIntent } from "./payments/create";

afterAll(() => disconnect());

const pay = ({ context }: TestMerchant) => createPaymentIntent(context, payment(), withoutIdempotency());

it("yields at the start and after each change of the merchant, and ends on abort", async () => {
  const [mine, other] = [await makeMerchant(), await makeMerchant()];
  const listening = new AbortController();
  const changes = liveChanges({ merchantId: mine.merchantId, sessionId: "mine" }, listening.signal);
  expect(await changes.next()).toEqual({ value: "changed", done: false });

  let hasTold = false;
  const second = changes.next().then((told) => {
    hasTold = true;
    return told;
  });
  await pay(other);
  // Long enough to report its own change.
  const own = liveChanges({ merchantId: other.merchantId, sessionId: "other" }, listening.signal);
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

it("polls once for all streams of a merchant, and refuses a session its 11th until one ends", async () => {
  const { merchantId } = await makeMerchant();
  const poll = vi.spyOn(log, "newestEntriesMark");
  const listening = new AbortController();
  const streams = Array.from({ length: 10 }, () => liveChanges({ merchantId, sessionId: "busy" }, listening.signal));
  await Promise.all(streams.map((stream) => stream.next()));
  expect(poll).toHaveBeenCalledTimes(1);
  expect(() => requireFreeStream("busy")).toThrow(/Too many streams/);
  expect(() => requireFreeStream("another")).not.toThrow();
  await streams[0]?.return(undefined);
  expect(() => requireFreeStream("busy")).not.toThrow();
  listening.abort();
  await Promise.all(streams.map((stream) => stream.next()));
});
