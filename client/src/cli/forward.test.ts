import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook } from "../webhooks.js";
import { CommandFailure } from "./failure.js";
import {
  bodyOf,
  forward,
  forwardingSecret,
  isAccepted,
  type ListedEvent,
  parseTarget,
  signMessage,
} from "./forward.js";

const SECRET = forwardingSecret("sk_test_b");
const EVENT: ListedEvent = {
  object: "event",
  id: "evt_01h455vb4pex5vsknk084sn02q",
  type: "payment_intent.succeeded",
  timestamp: "2026-10-31T09:30:00.120Z",
  environment: "test",
  api_version: "2026-11-01",
  data: { payment_intent_id: "dord_1", status: "succeeded", failure_code: null, failure_message: null },
};

/** Starts a receiver that answers with a status, and returns its address, what it gets, and how to stop it. */
async function startReceiver(status: number) {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { location: "/elsewhere" }).end("thanks");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received, stop };
}

describe("a forwarded message", () => {
  it("has the envelope without the kind of the resource, in its order", () => {
    expect(bodyOf(EVENT)).toBe(
      '{"id":"evt_01h455vb4pex5vsknk084sn02q","type":"payment_intent.succeeded","timestamp":"2026-10-31T09:30:00.120Z",' +
        '"environment":"test","api_version":"2026-11-01","data":{"payment_intent_id":"dord_1","status":"succeeded",' +
        '"failure_code":null,"failure_message":null}}',
    );
  });

  it("is genuine for the client and for Standard Webhooks, and not under another key's secret", () => {
    const body = bodyOf(EVENT);
    const headers = signMessage(SECRET, EVENT.id, body, Date.now());
    expect(verifyWebhook(SECRET, headers, body)).toMatchObject({ id: EVENT.id });
    expect(new Webhook(SECRET).verify(body, headers)).toMatchObject({ id: EVENT.id });
    expect(() => verifyWebhook(forwardingSecret("sk_test_c"), headers, body)).toThrow("no signature");
  });

  it.each([
    [204, true],
    [302, false],
    [500, false],
  ])("that is answered %i is accepted: %s, and is sent once", async (status, accepted) => {
    const { url, received, stop } = await startReceiver(status);
    const result = await forward(url, SECRET, EVENT, new AbortController().signal);
    await stop();
    expect(result).toMatchObject({ status, error: null });
    expect(isAccepted(result)).toBe(accepted);
    expect(received).toHaveLength(1);
    expect(verifyWebhook(SECRET, received[0]?.headers ?? {}, received[0]?.body ?? "")).toMatchObject({ id: EVENT.id });
  });

  it("is not sent any more after Ctrl-C, while nothing listens", async () => {
    const { url, stop } = await startReceiver(204);
    await stop();
    const controller = new AbortController();
    const sent = forward(url, SECRET, EVENT, controller.signal);
    controller.abort(new Error("interrupted"));
    await expect(sent).rejects.toThrow("interrupted");
  });
});

describe("an address to forward to", () => {
  it.each([
    ["4000", "http://localhost:4000"],
    ["localhost:4000/hooks", "http://localhost:4000/hooks"],
    ["https://shop.example/hooks?a=b", "https://shop.example/hooks?a=b"],
  ])("%s is %s", (text, url) => expect(parseTarget(text)).toBe(url));

  it.each(["", "ftp://localhost/", "http://", "a b"])("%j is none", (text) => {
    expect(() => parseTarget(text)).toThrow(CommandFailure);
  });
});
