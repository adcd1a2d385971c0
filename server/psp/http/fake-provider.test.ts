// The adapter and the fake provider, written independently from one document, work together.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallbackReceiver, Gateway } from "../gateway";
import { json, type LocalServer, startLocalServer } from "../testing/local-server";
import { CREATED_AT, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { createCallbackReceiver } from "./callbacks";
import { httpConfig } from "./config";
import { createHttpGateway } from "./gateway";

const MAIN = fileURLToPath(new URL("../../../e2e/support/fake-psp/main.ts", import.meta.url));
const SECRET = "a secret of the test between adapter and fake";

let child: ChildProcess;
let url = "";
let service: LocalServer;
let gateway: Gateway;
let receiver: CallbackReceiver;
const folder = mkdtempSync(join(tmpdir(), "fake-provider-"));

beforeAll(async () => {
  service = await startLocalServer();
  service.respond = json(202, {});
  const options = ["--record", join(folder, "record.jsonl"), "--secret", SECRET, "--name", "acme"];
  child = spawn(process.execPath, ["--import", "tsx", MAIN, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (data) => resolve(String(data)));
    child.once("exit", () => reject(new Error("the fake provider ended")));
  });
  url = (JSON.parse(line) as { url: string }).url;
  const topups = [{ source: "USDT", destination: "BRL" }];
  const config = httpConfig.parse({ name: "acme", url, secret: SECRET, cancel: true, topups });
  gateway = createHttpGateway(config);
  receiver = createCallbackReceiver(config);
  await control({ callback_url: service.url });
}, 20_000);
afterAll(async () => {
  child.kill("SIGTERM");
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function control(body: object, path = ""): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return (await fetch(`${url}/control${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

async function executions(reference: string): Promise<number> {
  const lines = (await (await fetch(`${url}/record`)).json()) as { event: string; reference: string }[];
  return lines.filter((line) => line.event === "executed" && line.reference === reference).length;
}

/** `patient` is for answered calls. Calls without an answer get a short deadline that suffices on a busy machine. */
const patient = () => AbortSignal.timeout(10_000);
const brief = () => AbortSignal.timeout(500);

describe("the adapter and the fake provider", () => {
  it("collect a payment: redirect, payer's click, callback", async () => {
    const payment = samplePayment(1050n, "BR_PIX", { reference: "dord_paid", nextActionType: "redirect_to_url" });
    const created = await gateway.createPayment(payment, patient());
    expect(created).toMatchObject({ kind: "requires_action", nextAction: { url: `${url}/pay/dord_paid` } });
    expect((await fetch(`${url}/pay/dord_paid`, { method: "POST", redirect: "manual" })).status).toBe(303);
    const [callback] = service.received;
    expect(callback?.path).toBe("/providers/acme/callbacks");
    expect(callback && receiver.verifyCallback(callback.headers, callback.body, new Date())).not.toBeNull();
    expect(callback && receiver.readCallback(callback.body)).toMatchObject({
      merchantId: payment.merchantId,
      reference: "dord_paid",
      outcomes: [{ kind: "succeeded", amount: 1050n, currency: "BRL" }],
    });
    expect(await gateway.queryPayment(payment, patient(), CREATED_AT)).toMatchObject([
      { kind: "succeeded", amount: 1050n },
    ]);
    expect(await executions("dord_paid")).toBe(1);
  });

  it.each(["BR_PIX", "MX_SPEI", "CO_PSE"])("instruct payers in the method's own shape: %s", async (code) => {
    const payment = samplePayment(1050n, code, { reference: `dord_${code}` });
    const outcome = await gateway.createPayment(payment, patient());
    expect(outcome).toMatchObject({ kind: "requires_action", nextAction: { type: payment.method.nextActionType } });
  });

  it.each(["execute_then_drop", "execute_then_hang", "garbage", "delay"])(
    "find a payout that was executed without an answer: %s",
    async (mode) => {
      const payout = samplePayout(1050n, { reference: `word_${mode}` });
      await control({ mode, ms: 20_000, operation: "create", reference: payout.reference });
      expect(await gateway.createPayout(payout, brief())).toMatchObject({ kind: "unknown" });
      expect(await gateway.createPayout(payout, brief())).toMatchObject({ kind: "unknown" });
      expect(await gateway.queryPayout(payout, patient(), CREATED_AT)).toMatchObject([
        { kind: "settled", amount: 1050n },
      ]);
      expect(await executions(payout.reference)).toBe(1);
    },
  );

  it.each(["drop", "hang", "server_error"])("find that a payout never arrived: %s", async (mode) => {
    const payout = samplePayout(1050n, { reference: `word_${mode}` });
    await control({ mode, operation: "create", reference: payout.reference, times: 1 });
    expect(await gateway.createPayout(payout, brief())).toMatchObject({ kind: "unknown" });
    expect(await gateway.queryPayout(payout, patient(), CREATED_AT)).toMatchObject([{ kind: "never_accepted" }]);
    expect(await executions(payout.reference)).toBe(0);
    expect(await gateway.createPayout(payout, patient())).toMatchObject({ kind: "pending" });
    expect(await executions(payout.reference)).toBe(1);
  });

  it.each([
    ["decline", "declined", "declined"],
    ["invalid_recipient", "invalid_recipient", "invalid_recipient"],
    ["not_accept", "never_accepted", "never_accepted"],
  ])("agree on a rejection: %s", async (mode, refused, asked) => {
    const payout = samplePayout(1050n, { reference: `word_${mode}` });
    await control({ mode, operation: "create", reference: payout.reference });
    expect(await gateway.createPayout(payout, patient())).toMatchObject({ kind: refused });
    expect(await gateway.queryPayout(payout, patient(), CREATED_AT)).toMatchObject([{ kind: asked }]);
    expect(await executions(payout.reference)).toBe(0);
  });

  it("close an unpaid payment, which its payer cannot pay any more", async () => {
    const payment = samplePayment(1050n, "BR_PIX", { reference: "dord_closed", nextActionType: "redirect_to_url" });
    await gateway.createPayment(payment, patient());
    await control({ mode: "execute_then_drop", operation: "cancel", reference: "dord_closed", times: 1 });
    expect(await gateway.cancelPayment?.(payment, patient())).toMatchObject({ kind: "unknown" });
    expect(await gateway.cancelPayment?.(payment, patient())).toMatchObject({ kind: "cancelled" });
    await fetch(`${url}/pay/dord_closed`, { method: "POST", redirect: "manual" });
    expect(await executions("dord_closed")).toBe(0);
  });

  it("agree on cancel calls for a paid payment, an open top-up and an unknown reference", async () => {
    const paid = samplePayment(1050n, "BR_PIX", { reference: "dord_late" });
    await gateway.createPayment(paid, patient());
    await control({ reference: "dord_late", event: "executed", quiet: true }, "/happen");
    expect(await gateway.cancelPayment?.(paid, patient())).toMatchObject({ kind: "succeeded", amount: 1050n });
    const topup = sampleTopup(1050n, { reference: "tuin_closed" });
    await gateway.createTopup(topup, patient());
    expect(await gateway.cancelTopup?.(topup, patient())).toMatchObject({ kind: "expired" });
    const unknown = samplePayment(1050n, "BR_PIX", { reference: "dord_nobody" });
    expect(await gateway.cancelPayment?.(unknown, patient())).toMatchObject({ kind: "never_accepted" });
  });

  it("top up: quote, address, funds in two parts", async () => {
    expect(await gateway.quoteTopup("USDT", "BRL", "live", patient())).toMatchObject({ rate: "5.430000" });
    const topup = sampleTopup(1050n, { reference: "tuin_1" });
    expect(await gateway.createTopup(topup, patient())).toMatchObject({
      kind: "instructions",
      nextAction: { network: "tron" },
    });
    const happen = (amount: string, confirmed: boolean) =>
      control({ reference: "tuin_1", event: "executed", amount, confirmed }, "/happen");
    expect(await happen("18000000", false)).toEqual({ deliveries: [202] });
    await happen("416207", true);
    const news = service.received
      .filter(({ body }) => body.includes("tuin_1"))
      .map(({ body }) => receiver.readCallback(body));
    expect(news).toMatchObject([
      { outcomes: [{ kind: "funds_seen", amount: 18_000_000n, confirmed: false }] },
      { outcomes: [{ kind: "funds_seen", amount: 18_416_207n, confirmed: true, currency: "USDT" }] },
    ]);
  });

  it("distinguish forged, stale and repeated callbacks", async () => {
    const verified = async (order: object) => {
      service.received.length = 0;
      await control({ reference: "dord_paid", ...order }, "/callbacks");
      return service.received.map(
        ({ headers, body }) => receiver.verifyCallback(headers, body, new Date())?.callbackId ?? null,
      );
    };
    expect(await verified({ forged: true })).toEqual([null]);
    expect(await verified({ clock_offset: -400 })).toEqual([null]);
    expect(await verified({ callback_id: "cb_same", times: 3 })).toEqual(["cb_same", "cb_same", "cb_same"]);
  });
});
