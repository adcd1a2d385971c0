// Any behavior of a receiver becomes one answer, in time, in little memory, without calls to other addresses.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { HOSTILE_BEHAVIOURS } from "@/e2e/support/receiver-farm/behaviours";
import { farmAuthority } from "@/e2e/support/receiver-farm/farm";
import { type RunningFarm, startReceiverFarm } from "@/e2e/support/receiver-farm/start";
import type { DeliveryAnswer } from "./answer";
import { createReceiverClient, type ReceiverClient } from "./post";
import { resolveByDns } from "./resolve";

const POLICY = { httpsOnly: false, allowLoopback: true };
const BODY = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded" });
/** For receivers that answer; ample on any machine. */
const AMPLE_MS = 30_000;
/** For receivers that never answer. */
const SHORT_MS = 400;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let farm: RunningFarm;
let client: ReceiverClient;
let stranger: ReceiverClient;
beforeAll(async () => {
  farm = await startReceiverFarm();
  client = createReceiverClient({ resolve: resolveByDns, authorities: farmAuthority() });
  stranger = createReceiverClient({ resolve: resolveByDns });
});
afterAll(async () => {
  await Promise.all([client.close(), stranger.close(), farm.stop()]);
});

function post(behaviour: string, deadlineMs = AMPLE_MS, signal?: AbortSignal): Promise<DeliveryAnswer> {
  const url = `${farm.url(behaviour)}/hooks?from=sluice`;
  return client.post({ url, headers: { "webhook-id": "evt_1" }, body: BODY, policy: POLICY, deadlineMs }, signal);
}

const answered = (status: number, more: Partial<DeliveryAnswer> = {}) => ({
  kind: "answered",
  status,
  body: "",
  retryAfterMs: null,
  error: null,
  detail: null,
  durationMs: expect.any(Number),
  ...more,
});
const failed = (error: string, detail: RegExp) => ({
  kind: "failed",
  status: null,
  retryAfterMs: null,
  error,
  detail: expect.stringMatching(detail),
});

const DAY_MS = 24 * 3_600_000;
const IN_TIME: readonly (readonly [behaviour: string, answer: object])[] = [
  ["ok", answered(200, { body: "ok" })],
  ["slow_ok", answered(200, { body: "ok" })],
  ["no_content", answered(204)],
  ["accepted_echo", answered(202, { body: BODY })],
  ["tls_trusted", answered(200, { body: "ok" })],
  ["endless_body", answered(200, { body: "x".repeat(4_096) })],
  ["endless_error_body", answered(500, { body: "x".repeat(4_096) })],
  ["compressed", answered(200, { body: "not gzip at all" })],
  ["not_text", answered(200, { body: "a\uFFFD\uFFFD\uFFFD\uFFFDb" })],
  ["not_found", answered(404)],
  ["gone", answered(410)],
  ["server_error", answered(500, { body: "Oops" })],
  ["bad_gateway", answered(502, { retryAfterMs: 30_000 })],
  ["busy", answered(429, { retryAfterMs: 120_000 })],
  ["busy_for_ages", answered(429, { retryAfterMs: DAY_MS })],
  ["busy_negative", answered(429)],
  ["busy_until_2099", answered(503, { retryAfterMs: DAY_MS })],
  ["busy_garbage", answered(503)],
  ["redirect_301", answered(301)],
  ["redirect_302", answered(302)],
  ["redirect_303", answered(303)],
  ["redirect_307", answered(307)],
  ["redirect_308", answered(308)],
  ["endless_headers", failed("too_large", /larger than 16 KiB/)],
  ["reset_on_accept", failed("connection", /closed the connection/)],
  ["reset_before_headers", failed("connection", /closed the connection/)],
  // A reset discards unread data, so the status may or may not have been read.
  ["reset_after_headers", failed("connection", /closed the connection/)],
  ["close_without_answer", failed("connection", /closed the connection/)],
  ["close_mid_body", failed("connection", /closed the connection .* Its status was 200\.$/)],
  ["garbage", failed("connection", /valid HTTP/)],
  ["two_lengths", failed("connection", /valid HTTP/)],
  ["status_0", failed("connection", /./)],
  ["status_99", failed("connection", /./)],
  ["status_999", answered(999, { body: "ok" })],
  ["status_2000", failed("connection", /./)],
  ["status_0_endless", failed("connection", /./)],
  ["switching", failed("connection", /./)],
  ["tls_expired", failed("tls", /has expired/)],
  ["tls_self_signed", failed("tls", /self-signed/)],
  ["tls_other_host", failed("tls", /another host/)],
  ["tls_garbage", failed("tls", /handshake/)],
];
const NEVER = [
  "hang_on_accept",
  "hang_before_headers",
  "hang_in_headers",
  "hang_in_body",
  "endless_continue",
  "drip_headers",
  "drip_body",
  "tls_hang",
];
/** The ones of these that send all headers. */
const HALF_ANSWERED = ["hang_in_body", "drip_body"];

describe("a receiver's behavior becomes one answer", () => {
  it("covers every behavior of the farm", () => {
    const expected = [...IN_TIME.map(([behaviour]) => behaviour), ...NEVER];
    expect(HOSTILE_BEHAVIOURS.filter((behaviour) => !expected.includes(behaviour))).toEqual([]);
  });

  it.each(IN_TIME)("%s, as soon as it arrives", async (behaviour, answer) => {
    expect(await post(behaviour)).toMatchObject(answer);
  });

  it.each(NEVER)("%s, at the deadline", async (behaviour) => {
    const answer = await post(behaviour, SHORT_MS);
    // On a busy machine the headers may not have arrived either.
    const isHalfAnswered = HALF_ANSWERED.includes(behaviour) && answer.detail?.includes("finish");
    const detail = isHalfAnswered
      ? "The receiver did not finish its answer within 0.4 seconds. Its status was 200."
      : "The receiver did not answer within 0.4 seconds.";
    expect(answer).toMatchObject({ ...failed("timeout", /./), detail });
    expect(answer.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 1);
  });

  it("follows no redirects", async () => {
    expect((await farm.connections()).trap).toBe(0);
  });

  it("does not trust an unknown certificate authority", async () => {
    const url = farm.url("tls_trusted");
    const answer = await stranger.post({ url, headers: {}, body: BODY, policy: POLICY, deadlineMs: AMPLE_MS });
    expect(answer).toMatchObject(failed("tls", /authority is (missing|unknown)/));
  });

  it("reports a closed port", async () => {
    const url = "http://127.0.0.1:1/";
    const answer = await client.post({ url, headers: {}, body: BODY, policy: POLICY, deadlineMs: AMPLE_MS });
    expect(answer).toMatchObject(failed("connection", /refused the connection/));
  });
});

describe("the client", () => {
  it("sends the body unchanged, with our user agent, and requests no compression", async () => {
    const since = (await farm.received()).length;
    await post("accepted_echo");
    expect(await farm.received(since)).toMatchObject([
      {
        body: BODY,
        path: "/hooks?from=sluice",
        headers: {
          "webhook-id": "evt_1",
          "content-type": "application/json",
          "accept-encoding": "identity",
          "user-agent": "Sluice-Webhooks/1",
        },
      },
    ]);
  });

  it("rejects at every post what could not be saved, without a connection", async () => {
    const urls = [`${farm.url("trap")}/`, "https://10.0.0.1/", "https://user@example.com/", "file:///etc/passwd"];
    for (const url of urls) {
      const policy = { httpsOnly: false, allowLoopback: false };
      const answer = await client.post({ url, headers: {}, body: BODY, policy, deadlineMs: AMPLE_MS });
      expect(answer).toMatchObject(failed("refused_address", /^The endpoint's URL must /));
    }
    expect((await farm.connections()).trap).toBe(0);
  });

  it("does not reuse a connection allowed by one policy under another that forbids it", async () => {
    const here = createReceiverClient({ resolve: async () => ["127.0.0.1"] });
    const request = { url: "http://shop.example:8080/", headers: {}, body: BODY, deadlineMs: AMPLE_MS };
    const lenient = await here.post({ ...request, policy: POLICY });
    const strict = await here.post({ ...request, policy: { httpsOnly: false, allowLoopback: false } });
    expect([lenient.error === "refused_address", strict.error]).toEqual([false, "refused_address"]);
    await here.close();
  });

  it("rejects with the caller's reason when the caller aborts, before or while it waits", async () => {
    const reason = new Error("the worker is draining");
    await expect(post("hang_before_headers", AMPLE_MS, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = post("hang_before_headers", AMPLE_MS, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it("rejects an invalid request, which is the caller's fault and not the receiver's", async () => {
    const request = {
      url: farm.url("ok"),
      headers: { "bad header": "x" },
      body: BODY,
      policy: POLICY,
      deadlineMs: AMPLE_MS,
    };
    await expect(client.post(request)).rejects.toThrow("invalid header");
  });

  it("uses few connections for many consecutive posts", async () => {
    const before = (await farm.connections()).ok ?? 0;
    for (let sent = 0; sent < 200; sent += 1) await post("ok");
    // A pause of the machine longer than a second costs a connection.
    expect(((await farm.connections()).ok ?? 0) - before).toBeLessThan(50);
  });

  it("reads no more of 80 endless answers than it stores", async () => {
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 4; round += 1) {
      const names = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? "endless_body" : "endless_error_body"));
      const answers = await Promise.all(names.map((name) => post(name)));
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual(
        names.map((name) => [name === "endless_body" ? 200 : 500, 4_096]),
      );
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 2 ** 20);
  });

  it("does not delay good receivers behind bad ones", async () => {
    const hanging = NEVER.flatMap((behaviour) => Array.from({ length: 10 }, () => post(behaviour, AMPLE_MS)));
    let hasEnded = false;
    void Promise.race(hanging).then(() => {
      hasEnded = true;
    });
    const good = await Promise.all(Array.from({ length: 100 }, () => post("ok")));
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]));
    expect(hasEnded).toBe(false);
  });
});
