// Garbage from an external provider is never read as an answer, never crashes us, and never exhausts memory.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Gateway } from "../gateway";
import { json, type LocalServer, type Respond, startLocalServer } from "../testing/local-server";
import { CREATED_AT, samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { createHttpGateway } from "./gateway";

let server: LocalServer;
let gateway: Gateway;
let evil: LocalServer;
beforeAll(async () => {
  [server, evil] = await Promise.all([startLocalServer(), startLocalServer()]);
  gateway = createHttpGateway({
    name: "acme",
    url: server.url,
    secret: "an example secret of 32 characters or more",
    payment_methods: "all",
    payout_currencies: "all",
    topups: [],
    environments: ["live"],
    exponents: {},
    cancel: false,
    protocol: 1 as const,
    plain_http: false,
  });
});
afterAll(async () => {
  await Promise.all([server.stop(), evil.stop()]);
});

const payout = samplePayout(1050n);
const settled = { reference: payout.reference, status: "settled", amount: "1050", currency: "BRL" };

function raw(status: number, contentType: string, body: string | Buffer): Respond {
  return (_received, response) => response.writeHead(status, { "content-type": contentType }).end(body);
}

const JSON_TYPE = "application/json";
const GARBAGE: readonly (readonly [string, Respond])[] = [
  ["an HTML page with status 200", raw(200, "text/html", "<html>Service unavailable</html>")],
  ["an HTML page called JSON", raw(200, JSON_TYPE, "<html></html>")],
  ["a report called HTML", raw(200, "text/html", JSON.stringify(settled))],
  ["a report without a type", (_received, response) => response.end(JSON.stringify(settled))],
  ["an empty body", raw(200, JSON_TYPE, "")],
  ["no content", (_received, response) => response.writeHead(204).end()],
  ["cut JSON", raw(200, JSON_TYPE, JSON.stringify(settled).slice(0, -2))],
  ["JSON followed by more", raw(200, JSON_TYPE, `${JSON.stringify(settled)}x`)],
  ["invalid UTF-8", raw(200, JSON_TYPE, Buffer.from([0x22, 0xff, 0x22]))],
  ["null", json(200, null)],
  ["a list", json(200, [settled])],
  ["60,000 nested lists", raw(200, JSON_TYPE, "[".repeat(60_000))],
  ["no status", json(200, { ...settled, status: undefined })],
  ["an unknown status", json(200, { ...settled, status: "probably" })],
  ["the status of another kind", json(200, { ...settled, status: "succeeded" })],
  ["a status that is a list", json(200, { ...settled, status: ["settled"] })],
  ["no reference", json(200, { ...settled, reference: undefined })],
  ["another reference", json(200, { ...settled, reference: "word_01h455vb4pex5vsknk084sn02r" })],
  ["no amount", json(200, { ...settled, amount: undefined })],
  ["an amount that is a number", json(200, { ...settled, amount: 1050 })],
  ["a decimal amount", json(200, { ...settled, amount: "10.50" })],
  ["a negative amount", json(200, { ...settled, amount: "-1050" })],
  ["an amount of nothing", json(200, { ...settled, amount: "0" })],
  ["a hexadecimal amount", json(200, { ...settled, amount: "0x41a" })],
  ["an amount of 31 digits", json(200, { ...settled, amount: "1".repeat(31) })],
  ["a currency in lower case", json(200, { ...settled, currency: "brl" })],
  ["a provider reference that is an object", json(200, { ...settled, provider_reference: {} })],
  ["a provider reference with a line break", json(200, { ...settled, provider_reference: "a\nb" })],
  ["status 500 with a report", json(500, settled)],
  ["status 206 with a report", json(206, settled)],
  ["status 400 without the error's form", json(400, { error: "declined" })],
  ["a dropped connection", (_received, response) => response.destroy()],
  ["headers and a dropped connection", dropAfterHeaders],
];

function dropAfterHeaders(_received: unknown, response: ServerResponse): void {
  response.writeHead(200, { "content-type": JSON_TYPE, "content-length": "1000" });
  response.write('{"reference"', () => response.destroy());
}

describe("garbage from a provider", () => {
  it.each(GARBAGE)("leaves the outcome unknown: %s", async (_name, respond) => {
    server.respond = respond;
    const { signal } = new AbortController();
    expect(await gateway.createPayout(payout, signal)).toMatchObject({ kind: "unknown" });
    expect(await gateway.queryPayout(payout, signal, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
  });

  it("is described without repeating it", async () => {
    server.respond = json(200, { ...settled, status: "<script>", secret: "0001234567890" });
    const outcome = await gateway.createPayout(payout, new AbortController().signal);
    expect(outcome).toEqual({ kind: "unknown", detail: "a report that is malformed at status" });
  });

  it("does not follow redirects", async () => {
    evil.respond = json(200, settled);
    for (const status of [301, 302, 303, 307, 308]) {
      server.respond = (_received, response) => response.writeHead(status, { location: evil.url }).end();
      expect(await gateway.createPayout(payout, new AbortController().signal)).toMatchObject({ kind: "unknown" });
    }
    expect(evil.received).toEqual([]);
  });

  it("is read up to 64 KiB, although a gibibyte was announced and sent", async () => {
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      server.respond = (_received, response) => {
        response.on("close", resolve).on("error", () => undefined);
        response.writeHead(200, { "content-type": JSON_TYPE, "content-length": String(2 ** 30) });
        const chunk = Buffer.alloc(64 * 1024, " ");
        const more = () => {
          sent += chunk.length;
          if (sent < 2 ** 30 && !response.destroyed) response.write(chunk, more);
        };
        more();
      };
    });
    const before = process.memoryUsage().rss;
    const outcome = await gateway.createPayout(payout, new AbortController().signal);
    expect(outcome).toEqual({ kind: "unknown", detail: "an answer of over 65536 bytes" });
    await closed;
    expect(sent).toBeLessThan(64 * 2 ** 20);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20);
  });

  it("ends at the deadline when the body drips", async () => {
    const timers: NodeJS.Timeout[] = [];
    server.respond = (_received, response) => {
      response.on("error", () => undefined).writeHead(200, { "content-type": JSON_TYPE });
      timers.push(setInterval(() => response.write(" "), 10));
    };
    const outcome = await gateway.createPayout(payout, AbortSignal.timeout(150));
    expect(outcome).toEqual({ kind: "unknown", detail: "no answer in time" });
    for (const timer of timers) clearInterval(timer);
  });

  it("differs from an unreachable provider, which was certainly sent nothing and cannot be queried", async () => {
    const away = await startLocalServer();
    await away.stop();
    const config = { secret: "s".repeat(32), payment_methods: "all", payout_currencies: "all", topups: [] } as const;
    const closed = createHttpGateway({
      ...config,
      topups: [],
      name: "away",
      url: away.url,
      environments: ["live"],
      exponents: {},
      cancel: false,
      protocol: 1 as const,
      plain_http: false,
    });
    const { signal } = new AbortController();
    expect(await closed.createPayment(samplePayment(1n), signal)).toMatchObject({ kind: "not_sent" });
    expect(await closed.queryTopup(sampleTopup(1n), signal, CREATED_AT)).toMatchObject([{ kind: "unknown" }]);
  });
});
