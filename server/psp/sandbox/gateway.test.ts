// The sandbox's answer to each magic amount, for each kind of intent.
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { Gateway } from "../gateway";
import { after, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { createSandboxGateway } from "./gateway";

const open = new AbortController().signal;
let now = after(0);
let sandbox: Gateway;
const waits: number[] = [];

beforeEach(() => {
  now = after(0);
  waits.length = 0;
  sandbox = createSandboxGateway(async (ms) => {
    waits.push(ms);
  });
});

const kinds = (outcomes: readonly { readonly kind: string }[]) => outcomes.map((outcome) => outcome.kind);

/** Endings 00 (nothing special) to 09. 10 shows that both last digits count; 11 that 01 is not "1". */
const ENDINGS = [
  ["00", "requires_action", "pending", "instructions"],
  ["01", "declined", "declined", "declined"],
  ["02", "succeeded", "settled", "funds_seen"],
  ["05", "expired", "declined", "expired"],
  ["06", "requires_action", "pending", "instructions"],
  ["07", "requires_action", "pending", "instructions"],
  ["08", "requires_action", "pending", "instructions"],
  ["09", "requires_action", "pending", "instructions"],
  ["10", "requires_action", "pending", "instructions"],
  ["11", "requires_action", "pending", "instructions"],
  ["99", "requires_action", "pending", "instructions"],
] as const;

describe("creating at the sandbox", () => {
  it.each(ENDINGS)("amounts ending in %s: payment %s, payout %s, top-up %s", async (ending, payment, payout, topup) => {
    const amount = BigInt(`5${ending}`);
    expect((await sandbox.createPayment(samplePayment(amount), open)).kind).toBe(payment);
    expect((await sandbox.createPayout(samplePayout(amount), open)).kind).toBe(payout);
    expect((await sandbox.createTopup(sampleTopup(amount), open)).kind).toBe(topup);
  });

  it("answers equal requests equally, with one provider reference", async () => {
    const first = await sandbox.createPayment(samplePayment(1050n), open);
    now = after(60_000);
    expect(await sandbox.createPayment(samplePayment(1050n), open)).toEqual(first);
    expect(await sandbox.queryPayment(samplePayment(1050n), open, now)).toEqual([first]);
    expect(await sandbox.queryPayment({ ...samplePayment(1050n), isAnswered: true }, open, now)).toEqual([]);
    expect(first).toMatchObject({ providerReference: expect.stringMatching(/^sbx_[0-9a-f]{24}$/) });
  });

  it("answers every cancel call as closed", async () => {
    expect(await sandbox.cancelPayment?.(samplePayment(1050n), open)).toMatchObject({ kind: "expired" });
    expect(await sandbox.cancelTopup?.(sampleTopup(1050n), open)).toMatchObject({ kind: "expired" });
  });

  it("reports exact amounts when it succeeds at once", async () => {
    expect(await sandbox.createPayment(samplePayment(502n), open)).toMatchObject({ amount: 502n, currency: "BRL" });
    expect(await sandbox.createPayout(samplePayout(502n), open)).toMatchObject({ amount: 502n, currency: "BRL" });
    const topup = await sandbox.createTopup(sampleTopup(502n), open);
    expect(topup).toMatchObject({ confirmed: true, amount: 18_416_207n, currency: "USDT" });
  });
});

describe("amounts ending in 03", () => {
  it("are answered as usual after five seconds", async () => {
    const outcomes = await Promise.all([
      sandbox.createPayment(samplePayment(503n), open),
      sandbox.createPayout(samplePayout(503n), open),
      sandbox.createTopup(sampleTopup(503n), open),
    ]);
    expect(kinds(outcomes)).toEqual(["requires_action", "pending", "instructions"]);
    expect(waits).toEqual([5_000, 5_000, 5_000]);
  });

  it("are unknown when the caller aborts first", async () => {
    const patient = createSandboxGateway((ms, signal) => pause(ms, undefined, { signal }));
    const outcome = await patient.createPayment(samplePayment(503n), AbortSignal.timeout(10));
    expect(outcome.kind).toBe("unknown");
  });

  it("are unknown in queries within five seconds, and known afterwards", async () => {
    now = after(4_999);
    expect(kinds(await sandbox.queryPayment(samplePayment(503n), open, now))).toEqual(["unknown"]);
    expect(kinds(await sandbox.queryPayout(samplePayout(503n), open, now))).toEqual(["unknown"]);
    expect(kinds(await sandbox.queryTopup(sampleTopup(503n), open, now))).toEqual(["unknown"]);
    now = after(5_000);
    expect(kinds(await sandbox.queryPayment(samplePayment(503n), open, now))).toEqual(["requires_action"]);
    expect(kinds(await sandbox.queryPayout(samplePayout(503n), open, now))).toEqual(["settled"]);
    expect(kinds(await sandbox.queryTopup(sampleTopup(503n), open, now))).toEqual(["instructions"]);
  });
});

describe("amounts ending in 04", () => {
  it("never answer, and stop when the caller aborts", async () => {
    const outcomes = await Promise.all([
      sandbox.createPayment(samplePayment(504n), AbortSignal.timeout(10)),
      sandbox.createPayout(samplePayout(504n), AbortSignal.timeout(10)),
      sandbox.createTopup(sampleTopup(504n), AbortSignal.abort()),
    ]);
    expect(kinds(outcomes)).toEqual(["unknown", "unknown", "unknown"]);
  });

  it("report the outcome when queried", async () => {
    now = after(2_000);
    expect(kinds(await sandbox.queryPayment(samplePayment(504n), open, now))).toEqual(["requires_action"]);
    expect(kinds(await sandbox.queryPayout(samplePayout(504n), open, now))).toEqual(["settled"]);
    expect(kinds(await sandbox.queryTopup(sampleTopup(504n), open, now))).toEqual(["instructions"]);
  });
});

describe("querying the sandbox", () => {
  it("settles payouts two seconds after their creation", async () => {
    now = after(1_999);
    expect(kinds(await sandbox.queryPayout(samplePayout(500n), open, now))).toEqual(["pending"]);
    now = after(2_000);
    expect(await sandbox.queryPayout(samplePayout(500n), open, now)).toMatchObject([{ kind: "settled", amount: 500n }]);
  });

  it.each([
    ["01", "declined", "declined", "declined"],
    ["02", "succeeded", "settled", "funds_seen"],
    ["05", "expired", "declined", "expired"],
  ])("repeats the results of amounts ending in %s", async (ending, payment, payout, topup) => {
    const amount = BigInt(`5${ending}`);
    expect(kinds(await sandbox.queryPayment(samplePayment(amount), open, now))).toEqual([payment]);
    expect(kinds(await sandbox.queryPayout(samplePayout(amount), open, now))).toEqual([payout]);
    expect(kinds(await sandbox.queryTopup(sampleTopup(amount), open, now))).toEqual([topup]);
  });

  it("reports late money for amounts ending in 07 after the time limit", async () => {
    const payment = samplePayment(507n);
    const topup = sampleTopup(507n);
    expect(kinds(await sandbox.queryPayment(payment, open, now))).toEqual(["requires_action"]);
    expect(kinds(await sandbox.queryTopup(topup, open, now))).toEqual(["instructions"]);
    now = payment.expiresAt;
    expect(await sandbox.queryPayment(payment, open, now)).toMatchObject([
      { kind: "expired" },
      { kind: "succeeded", amount: 507n },
    ]);
    now = topup.expiresAt;
    expect(kinds(await sandbox.queryTopup(topup, open, now))).toEqual(["expired", "funds_seen"]);
  });
});

describe("what the sandbox offers", () => {
  it("serves only the test environment", async () => {
    const { method } = samplePayment(1n);
    expect([sandbox.offersPayment(method, "test"), sandbox.offersPayment(method, "live")]).toEqual([true, false]);
    expect([sandbox.offersPayout("BRL", "test"), sandbox.offersPayout("BRL", "live")]).toEqual([true, false]);
    expect(sandbox.offersPayout("XXX", "test")).toBe(false);
    expect(await sandbox.quoteTopup("USDT", "BRL", "live", open)).toBeNull();
    expect(await sandbox.quoteTopup("USDT", "BRL", "test", open)).toEqual({
      rate: "5.430000",
      feeBasisPoints: 10,
      networks: ["tron", "ethereum", "polygon"],
    });
  });
});
