import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { sendPaced } from "./paced";

let server: Server;
let keys: string[];

/** Answers with these statuses in turn, and then with the last one. */
async function serve(...statuses: readonly number[]): Promise<string> {
  keys = [];
  server = createServer((request, response) => {
    keys.push(String(request.headers["idempotency-key"]));
    response.writeHead(statuses[Math.min(keys.length, statuses.length) - 1] ?? 500).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => new Promise((resolve) => server.close(resolve)));

let made = 0;
const next = () => {
  made += 1;
  return { method: "POST", path: "/", body: {}, key: `key-${made}` } as const;
};
const one = { perSecond: 100, seconds: 0.01, next };

it("a request that is answered 503 is sent again with its key, if the task says so", async () => {
  const baseUrl = await serve(503, 503, 201);
  const tries: number[] = [];
  const sent = await sendPaced({ baseUrl, ...one, retryAfterMs: 1, onAnswer: (_, count) => tries.push(count) });
  expect([sent, tries, new Set(keys).size]).toEqual([1, [3], 1]);
});

it("a request without success fails the load, with the first answer", async () => {
  const baseUrl = await serve(503);
  await expect(sendPaced({ baseUrl, ...one })).rejects.toThrow(
    "of 1 requests 1 failed; the first: POST / was answered 503",
  );
  server.close();
  await expect(sendPaced({ baseUrl: await serve(400), ...one, retryAfterMs: 1 })).rejects.toThrow("was answered 400");
});

it("failures that the task counts itself do not fail the load", async () => {
  const baseUrl = await serve(400, 201);
  const failures: unknown[] = [];
  const sent = await sendPaced({ baseUrl, ...one, seconds: 0.02, onFailure: (error) => failures.push(error) });
  expect([sent, failures.length]).toEqual([2, 1]);
});

it("a load without an end is ended by its signal", async () => {
  const baseUrl = await serve(201);
  const ending = new AbortController();
  const onAnswer = () => ending.abort();
  const load = { baseUrl, ...one, seconds: Number.POSITIVE_INFINITY, signal: ending.signal, onAnswer };
  expect(await sendPaced(load)).toBeGreaterThan(0);
});
