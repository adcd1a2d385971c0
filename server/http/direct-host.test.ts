// Tests the front's limits over real connections: what it answers itself, what it passes on, how it shuts down.
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { BlockList, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noteFailure } from "@/server/db/failures";
import { createFrontServer, type FrontServer } from "./direct-host";
import type { ApiAnswer, ApiRequest } from "./exchange";
import type { Peer } from "./peer";

let front: FrontServer;
let port: number;
let seen: { url: string; peer: Peer }[];
/** The headers that Next received last. */
let passedOn: IncomingHttpHeaders;
/** Bytes of bodies that Next received. */
let received: number;
/** Ends the requests for /v1/slow. */
let release: () => void;
let released: Promise<void>;

async function answer(request: ApiRequest): Promise<ApiAnswer> {
  const { pathname } = new URL(`http://a${request.target}`);
  seen.push({ url: `http://a${request.target}`, peer: request.peer });
  if (pathname === "/v1/slow") await released;
  if (pathname === "/v1/refuse") return { status: 413, headers: {}, body: "{}" };
  if (pathname === "/v1/throw") throw new Error("secret detail");
  const body = request.method === "POST" ? Buffer.from(await request.readBody()).toString() : pathname;
  return { status: 200, headers: {}, body };
}

beforeEach(async () => {
  // The test runner sets a BASE_URL of its own with another meaning.
  vi.stubEnv("BASE_URL", "");
  vi.stubEnv("LOG_LEVEL", "silent");
  seen = [];
  received = 0;
  delete (globalThis as { sluiceEnv?: unknown }).sluiceEnv;
  delete (globalThis as { sluiceBuckets?: unknown }).sluiceBuckets;
  released = new Promise((resolve) => {
    release = resolve;
  });
  front = createFrontServer({
    trustedProxies: new BlockList(),
    handle: answer,
    noProgressMs: 1_000,
    next: async (request, response) => {
      passedOn = request.headers;
      if (request.url === "/failing" || request.url === "/failing-without-database") {
        if (request.url === "/failing-without-database") noteFailure({ code: "57P03" });
        response.statusCode = 500;
      }
      if (request.url === "/large") {
        response.end(Buffer.alloc(64 * 1024 * 1024));
        return;
      }
      if (request.method === "POST") for await (const chunk of request) received += (chunk as Buffer).byteLength;
      if (request.url === "/stream") response.setHeader("content-type", "text/event-stream").write("data: 1");
      else response.end("next");
    },
  });
  port = await front.listen(0, "127.0.0.1");
});

afterEach(() => front.drain(100));

/** Sends bytes verbatim; returns everything received until the service closed the connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let back = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    back += chunk;
  });
  socket.on("error", () => undefined);
  socket.write(text, "latin1");
  await once(socket, "close");
  return back;
}

/** Sends bytes and lets the server, which runs in this process, read them. */
async function arrive(socket: Socket, text: string): Promise<void> {
  await new Promise((resolve) => socket.write(text, resolve));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const get = (target: string, headers = "") =>
  exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
const statusOf = (back: string) => Number(back.slice(9, 12));
const bodyOf = (back: string) => back.slice(back.indexOf("\r\n\r\n") + 4);

describe("the front", () => {
  it.each(["/v1", "/v1/x", "/v1/x?y=1", "/openapi.json", "/healthz", "/readyz", "/providers/a/callbacks"])(
    "passes %s to the route table",
    async (target) => {
      expect(statusOf(await get(target))).toBe(200);
      expect(seen).toHaveLength(1);
    },
  );

  it.each(["/", "/v1x", "/healthz/", "/sign-in", "/api/trpc/a"])("passes %s to Next", async (target) => {
    expect(await get(target)).toMatch(/next/);
    expect(seen).toHaveLength(0);
  });

  it("answers 503 for a page that Next could not render while the database failed, and 500 for any other", async () => {
    const outcomeOf = async (path: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`);
      return [status, headers.get("retry-after")];
    };
    expect(await outcomeOf("/failing-without-database")).toEqual([503, "1"]);
    expect(await outcomeOf("/failing")).toEqual([500, null]);
  });

  it("a caller cannot choose its address or origin", async () => {
    const forged = ["Forwarded: for=8.8.8.8", "X-Real-IP: 8.8.8.8", "X-Forwarded-For: 8.8.8.8"]
      .concat("X-Forwarded-Host: evil.example", "X-Forwarded-Port: 1", "X-Forwarded-Proto: https")
      .map((line) => `${line}\r\n`)
      .join("");
    await get("/sign-in", forged);
    expect(passedOn).toEqual({ host: "a", connection: "close", "x-forwarded-for": "127.0.0.1" });
    await get("/v1/x", forged);
    expect(seen[0]?.peer.address).toBe("127.0.0.1");
  });

  it.each(["/v1/%ff", "/v1/a%zz", "/v1/%", "/v1/%C3%28"])(
    "passes the broken escape %s on as an ordinary unknown path",
    async (target) => {
      expect(statusOf(await get(target))).toBe(200);
      expect(decodeURIComponent(new URL(seen[0]?.url ?? "").pathname)).toBe(target);
    },
  );

  it.each([
    ["a broken escape outside the API", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["TRACE", "TRACE /v1/x HTTP/1.1\r\nHost: a\r\n\r\n", 405],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 405],
    ["a method nobody knows here", "PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n", 405],
    ["a first line without a version", "GET /v1/x\r\nHost: a\r\n\r\n", 400],
    ["a version that is not spoken in text", "GET /v1/x HTTP/2.0\r\nHost: a\r\n\r\n", 400],
    ["a method that is none", "HELLO / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["no Host", "GET /v1/x HTTP/1.1\r\n\r\n", 400],
    ["a Host with a port that there is not", "GET /v1/x HTTP/1.1\r\nHost: a:65536\r\n\r\n", 400],
    ["a Host with an address that there is not", "GET /v1/x HTTP/1.1\r\nHost: 256.1.1.1\r\n\r\n", 400],
    ["two Hosts", "GET /v1/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400],
    ["a Host that is none", "GET /v1/x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["an absolute target", "GET http://b/v1/x HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["a URL over 4 KiB", `GET /v1/${"a".repeat(4_200)} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ["headers over 16 KiB", `GET /v1/x HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(17_000)}\r\n\r\n`, 400],
    ["2,500 headers", `GET /v1/x HTTP/1.1\r\nHost: a\r\n${"a:b\r\n".repeat(2_500)}\r\n`, 400],
    ["two lengths", "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
    [
      "a length and chunks",
      "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["a negative length", "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
    ["a folded header", "GET /v1/x HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400],
    ["an expectation", "POST /v1/x HTTP/1.1\r\nHost: a\r\nExpect: more\r\nContent-Length: 0\r\n\r\n", 400],
  ])("rejects %s with the envelope and closes the connection", async (_title, text, status) => {
    const back = await exchange(text);
    expect(statusOf(back)).toBe(status);
    expect(JSON.parse(bodyOf(back))).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
    expect(back).toMatch(/request-id: req_/i);
    expect(seen).toEqual([]);
  });

  it("lists the headers that were sent twice, which Node hides", async () => {
    await get(
      "/v1/x",
      "Authorization: a\r\nauthorization: b\r\nIdempotency-Key: a\r\nIDEMPOTENCY-KEY: b\r\nX: a\r\nX: b\r\n",
    );
    expect(seen[0]?.peer).toEqual({
      address: expect.stringContaining("127.0.0.1"),
      duplicateHeaders: ["authorization", "idempotency-key"],
    });
  });

  it("answers an upgrade request as the ordinary request it also is", async () => {
    await get("/");
    const text = "GET /v1/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n";
    expect(statusOf(await exchange(text))).toBe(200);
  });

  it("reveals nothing of an error that a handler throws", async () => {
    const back = await get("/v1/throw");
    expect(statusOf(back)).toBe(500);
    expect(back).not.toContain("secret detail");
  });

  it("allows an endless body to be rejected early, and does not hang on it", async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("POST /v1/refuse HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    const timer = setInterval(() => socket.writable && socket.write(`1000\r\n${"a".repeat(4_096)}\r\n`), 5);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    expect(statusOf(chunk.toString("latin1"))).toBe(413);
    await once(socket, "close");
    clearInterval(timer);
  });

  it("closes a connection whose headers trickle in", async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("GET /v1/x HTTP/1.1\r\nHost: a\r\n");
    const timer = setInterval(() => socket.writable && socket.write("x"), 200);
    const startedAt = Date.now();
    socket.resume();
    await once(socket, "close");
    clearInterval(timer);
    expect(Date.now() - startedAt).toBeLessThan(25_000);
  });
});

describe("limits of pages", () => {
  it("refuses a page beyond the rate of its address, and still serves files, health and other addresses' API", async () => {
    vi.stubEnv("RATE_LIMIT_BURST", "2");
    vi.stubEnv("RATE_LIMIT_PER_SECOND", "1");
    await get("/sign-in");
    await get("/pay/pi_1");
    const back = await get("/sign-in");
    expect(statusOf(back)).toBe(429);
    expect(back).toMatch(/retry-after: \d/i);
    for (const target of ["/_next/static/a.js", "/icon.svg", "/healthz", "/v1/x"])
      expect(statusOf(await get(target))).toBe(200);
    vi.unstubAllEnvs();
  });

  const post = (target: string, headers: string, body = "") =>
    exchange(`POST ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n${body}`);

  it.each(["/sign-in", "/", "/pay/pi_1", "/pay/pi_1/decide/x"])("%s takes no body", async (target) => {
    expect(statusOf(await post(target, "Content-Length: 1", "a"))).toBe(400);
    expect(statusOf(await post(target, "Transfer-Encoding: chunked", "0\r\n\r\n"))).toBe(400);
  });

  it.each(["/api/trpc/a", "/pay/pi_1/decide"])("%s takes a body of 64 KiB and no more", async (target) => {
    expect(statusOf(await post(target, "Content-Length: 65536", "a".repeat(65_536)))).toBe(200);
    expect(received).toBe(65_536);
    expect(statusOf(await post(target, "Content-Length: 65537"))).toBe(413);
  });

  it("counts a chunked body as it arrives", async () => {
    const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`;
    expect(statusOf(await post("/api/trpc/a", "Transfer-Encoding: chunked", chunk.repeat(5)))).toBe(413);
    expect(received).toBeLessThanOrEqual(65_536);
  });

  it("works on one request of a connection at a time, and answers all in order", async () => {
    const socket = connect(port, "127.0.0.1");
    let back = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      back += chunk;
    });
    const paths = ["/v1/slow", "/v1/b", "/v1/c"];
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
    await expect.poll(() => seen.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.map(({ url }) => url)).toEqual(["http://a/v1/slow"]);
    release();
    await expect.poll(() => back.match(/HTTP\/1\.1 200/g)?.length).toBe(3);
    expect(seen.map(({ url }) => new URL(url).pathname)).toEqual(paths);
    expect(back.match(/\/v1\/[a-z]+/g)).toEqual(paths);
    socket.destroy();
  });

  it("closes the connection of a reader that makes no progress", async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "readable");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    let size = 0;
    socket.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
    });
    await once(socket, "close");
    expect(size).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("HSTS", () => {
  beforeEach(() => vi.stubEnv("BASE_URL", "https://pay.example.com"));

  it.each([
    ["the API", "GET /v1/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["a page", "GET /sign-in HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"],
    ["a refused request", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a malformed request", "HELLO / HTTP/1.1\r\n\r\n"],
  ])("is on the answer of %s if BASE_URL is https", async (_title, text) => {
    expect((await exchange(text)).match(/strict-transport-security/gi)).toHaveLength(1);
  });
});

describe("draining", () => {
  it("finishes requests in progress, rejects new ones on an open connection, and accepts no more connections", async () => {
    const socket = connect(port, "127.0.0.1");
    let back = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      back += chunk;
    });
    socket.write("GET /v1/slow HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => seen.length).toBe(1);
    const drained = front.drain(60_000);
    release();
    await once(socket, "close");
    await drained;
    expect(statusOf(back)).toBe(200);
    expect(back).toMatch(/connection: close/i);
    const refused = httpRequest({ port, path: "/v1/x" }).end();
    await expect(once(refused, "response")).rejects.toThrow(/ECONNREFUSED|socket hang up/);
  });

  it("answers 503 with Retry-After to a request that arrives on a connection still in use", async () => {
    const socket = connect(port, "127.0.0.1");
    let back = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      back += chunk;
    });
    socket.write("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => statusOf(back)).toBe(200);
    back = "";
    await arrive(socket, "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n");
    const drained = front.drain(60_000);
    socket.write("\r\nab");
    await once(socket, "close");
    await drained;
    expect(statusOf(back)).toBe(503);
    expect(back).toMatch(/retry-after: \d/i);
    expect(JSON.parse(bodyOf(back))).toMatchObject({ error: { code: "service_unavailable" } });
  });

  it("ends event streams immediately: their readers reconnect", async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    let back = "";
    socket.on("data", (chunk: Buffer) => {
      back += chunk.toString("latin1");
    });
    socket.write("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => back).toContain("data: 1");
    await front.drain(60 * 60_000);
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  it("cuts off requests that do not end in time", async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.resume();
    socket.write("POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na");
    await expect.poll(() => seen.length).toBe(1);
    await front.drain(200);
    await expect.poll(() => socket.destroyed).toBe(true);
  });
});
