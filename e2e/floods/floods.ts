// The floods: what strangers send as fast as they can, each from one address.
import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";

/** Where the flood goes, and what it counts: answers by status, or other events by name. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** The flood's own address. */
  readonly from: string;
  /** The Cookie header of a signed-in member, for floods by an insider. */
  readonly cookie: string;
  readonly count: (event: string) => void;
}

interface Message {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const WORKERS = 100;
const BODY_BYTES = 60_000;
const IDLE_CONNECTIONS = 3_000;

function sendOne(target: Target, agent: Agent, { method, path, headers, body }: Message): Promise<void> {
  const { host, port, from, count } = target;
  return new Promise((resolve) => {
    const sent = request({ host, port, localAddress: from, agent, method, path, headers: { ...headers } }, (answer) => {
      count(String(answer.statusCode));
      answer.resume().once("close", resolve);
    });
    sent.once("error", () => {
      count("broken");
      setTimeout(resolve, 5);
    });
    sent.end(body);
  });
}

/** Sends messages by a hundred connections, each as soon as the one before is answered. */
function sendForever(target: Target, next: () => Message): void {
  const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });
  const work = async (): Promise<never> => {
    for (;;) await sendOne(target, agent, next());
  };
  for (let n = 0; n < WORKERS; n += 1) void work();
}

/** Keeps connections open; each is opened again when the service closes it. */
function holdConnections({ host, port, from, count }: Target, number: number, begin: (socket: Socket) => void): void {
  const open = (): void => {
    const socket = connect({ host, port, localAddress: from }, () => {
      count("opened");
      begin(socket);
    });
    socket.on("error", () => count("broken"));
    socket.once("close", () => setTimeout(open, 50));
    socket.resume();
  };
  for (let n = 0; n < number; n += 1) setTimeout(open, n / 10);
}

/** Asks twenty times per connection, and reads no answer. */
function readSlowly(target: Target, path: string): void {
  holdConnections(target, 500, (socket) => {
    socket.pause();
    for (let n = 0; n < 20; n += 1) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  });
}

function largestScript(): string {
  const folder = ".next/static/chunks";
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const sizes = scripts.map((name) => ({ name, bytes: statSync(`${folder}/${name}`).size }));
  return sizes.sort((a, b) => b.bytes - a.bytes)[0]?.name ?? "";
}

const randomText = (length: number): string => randomBytes(length).toString("hex").slice(0, length);
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;
const JSON_BODY = { "content-type": "application/json", "sec-fetch-site": "same-origin" };

/** By name: begins a flood that ends with the process. */
export const FLOODS: Readonly<Record<string, (target: Target) => void>> = {
  "unknown API keys": (target) =>
    sendForever(target, () => ({
      method: "GET",
      path: "/v1/wallets",
      headers: { authorization: basic(`pk_test_${randomText(24)}:sk_test_${randomText(43)}`) },
    })),
  "no credentials": (target) => sendForever(target, () => ({ method: "GET", path: "/v1/payment_intents" })),
  "large bodies": (target) =>
    sendForever(target, () => ({
      method: "POST",
      path: "/v1/payment_intents",
      headers: { "content-type": "application/json" },
      body: "[".repeat(BODY_BYTES),
    })),
  pages: (target) => sendForever(target, () => ({ method: "GET", path: `/sign-in?next=/${randomText(8)}` })),
  "payer pages": (target) => sendForever(target, () => ({ method: "GET", path: `/pay/dord_${randomText(26)}` })),
  "passkey challenges": (target) =>
    sendForever(target, () => ({ method: "POST", path: "/api/passkey-challenge", headers: JSON_BODY })),
  "one-time links": (target) =>
    sendForever(target, () => ({
      method: "POST",
      path: "/api/one-time-link/look-up",
      headers: JSON_BODY,
      body: JSON.stringify({ token: randomText(43) }),
    })),
  "exports by a member": (target) =>
    sendForever(target, () => ({
      method: "GET",
      path: "/api/export/test/payments",
      headers: { cookie: target.cookie },
    })),
  "event streams by a member": (target) =>
    sendForever(target, () => ({
      method: "GET",
      path: `/api/trpc/changes.stream?input=${encodeURIComponent(JSON.stringify({ environment: "test" }))}`,
      headers: { cookie: target.cookie, accept: "text/event-stream" },
    })),
  "idle connections": (target) => holdConnections(target, IDLE_CONNECTIONS, () => {}),
  "slow bodies": (target) =>
    holdConnections(target, 500, (socket) => {
      socket.write(`POST /v1/payment_intents HTTP/1.1\r\nhost: x\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`);
      const timer = setInterval(() => socket.write("["), 500);
      socket.once("close", () => clearInterval(timer));
    }),
  "slow readers of a document": (target) => readSlowly(target, "/openapi.json"),
  "slow readers of scripts": (target) => readSlowly(target, `/_next/static/chunks/${largestScript()}`),
};
