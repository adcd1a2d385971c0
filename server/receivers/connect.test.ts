// Every connection checks the addresses of its name and connects only to checked ones.

import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReceiverPolicy } from "./address-policy";
import { ReceiverRefusal } from "./answer";
import { createConnector } from "./connect";
import { createReceiverClient } from "./post";
import { checkReceiverHost, type Resolve } from "./resolve";
import { refusedUrls } from "./testing/refused-urls";
import { PUBLIC_IPV4, PUBLIC_IPV6, RESERVED_ADDRESSES } from "./testing/reserved-addresses";

vi.setConfig({ testTimeout: 60_000 });

const STRICT: ReceiverPolicy = { httpsOnly: false, allowLoopback: false };
const LENIENT: ReceiverPolicy = { httpsOnly: false, allowLoopback: true };
const PUBLIC = "93.184.216.34";
const NAME = "rebind.example";
const URL_OF_NAME = new URL(`http://${NAME}/hooks`);

/** The server at the attacker's address; a connection to it means that a check failed. */
let trap: Server;
let port: string;
let reached = 0;
beforeAll(async () => {
  trap = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
  port = String((trap.address() as AddressInfo).port);
});
beforeEach(() => {
  reached = 0;
});
afterAll(() => new Promise<void>((resolve) => void trap.close(() => resolve())));

function connect(hostname: string, policy: ReceiverPolicy, resolve: Resolve): Promise<Socket> {
  const connector = createConnector({ policy, resolve });
  return new Promise((done, fail) => {
    connector({ hostname, host: hostname, protocol: "http:", port }, (...[error, socket]) =>
      error ? fail(error) : done(socket),
    );
  });
}

async function refusalOf(hostname: string, policy: ReceiverPolicy, resolve: Resolve): Promise<string> {
  const error = await connect(hostname, policy, resolve).then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ReceiverRefusal ? error.failure.error : String(error);
}

const answering =
  (addresses: readonly string[]): Resolve =>
  async () =>
    addresses;

describe("connecting", () => {
  it("connects to the address resolved for the name, with one lookup", async () => {
    let questions = 0;
    const socket = await connect(NAME, LENIENT, async () => {
      questions += 1;
      return ["127.0.0.1"];
    });
    expect([socket.remoteAddress, questions]).toEqual(["127.0.0.1", 1]);
    socket.destroy();
    await expect.poll(() => reached, { timeout: 20_000 }).toBe(1);
  });

  it("tries the next address when the first rejects the connection", async () => {
    const socket = await connect(NAME, LENIENT, answering(["::1", "127.0.0.1"]));
    expect(socket.remoteAddress).toBe("127.0.0.1");
    socket.destroy();
  });

  it("rejects every literal of the corpus, although literals need no lookup", async () => {
    const hosts = new Set<string>();
    for (const url of refusedUrls()) {
      const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "";
      if (/^[\d.]+$/.test(host) || host.includes(":")) hosts.add(host);
    }
    hosts.delete("8.8.8.8");
    expect(hosts.size).toBeGreaterThan(300);
    const resolve = () => Promise.reject(new Error("literals need no name server"));
    for (const host of hosts) expect([host, await refusalOf(host, STRICT, resolve)]).toEqual([host, "refused_address"]);
    expect(reached).toBe(0);
  });
});

describe("names that resolve to a reserved address", () => {
  const others = [...PUBLIC_IPV4.slice(0, 2), ...PUBLIC_IPV6.slice(-2)];

  it("are rejected when saved and at every connection, alone or between public ones", async () => {
    for (const address of RESERVED_ADDRESSES) {
      for (const answer of [[address], [address, ...others], [...others, address], [PUBLIC, address, PUBLIC]]) {
        const resolve = answering(answer);
        expect([answer, (await checkReceiverHost(URL_OF_NAME, STRICT, resolve)).ok]).toEqual([answer, false]);
        expect([answer, await refusalOf(NAME, STRICT, resolve)]).toEqual([answer, "refused_address"]);
      }
    }
    expect(reached).toBe(0);
  });

  it("are rejected even if calls to this machine are allowed", async () => {
    expect(await refusalOf(NAME, LENIENT, answering(["127.0.0.1", "10.0.0.1"]))).toBe("refused_address");
    expect(reached).toBe(0);
  });

  it("do not affect public names", async () => {
    expect(await checkReceiverHost(URL_OF_NAME, STRICT, answering([...PUBLIC_IPV4, ...PUBLIC_IPV6]))).toEqual({
      ok: true,
    });
  });

  it("differ from names without addresses", async () => {
    const nowhere: Resolve = () => Promise.reject(new Error("ENOTFOUND"));
    for (const resolve of [nowhere, answering([])]) {
      expect(await refusalOf(NAME, STRICT, resolve)).toBe("dns");
      expect(await checkReceiverHost(URL_OF_NAME, STRICT, resolve)).toMatchObject({ why: /resolves/ });
    }
  });
});

describe("rebinding", () => {
  /** Resolves to a public address for the first `times` lookups, then to this machine. */
  function turning(times: number): Resolve {
    let questions = 0;
    return async () => {
      questions += 1;
      return [questions <= times ? PUBLIC : "127.0.0.1"];
    };
  }

  it("gains nothing in 1,000 trials: a name that passed when saved is rejected at the connection", async () => {
    for (let trial = 0; trial < 1_000; trial += 1) {
      const resolve = turning(1 + (trial % 3));
      for (let check = 0; check <= trial % 3; check += 1)
        expect(await checkReceiverHost(URL_OF_NAME, STRICT, resolve)).toEqual({ ok: true });
      expect(await refusalOf(NAME, STRICT, resolve)).toBe("refused_address");
    }
    expect(reached).toBe(0);
  });

  it("gains nothing through the whole client, and is reported to the merchant as a rejected address", async () => {
    const resolve = turning(1);
    const client = createReceiverClient({ resolve });
    expect(await checkReceiverHost(URL_OF_NAME, STRICT, resolve)).toEqual({ ok: true });
    const answer = await client.post({
      url: URL_OF_NAME.href,
      headers: {},
      body: "{}",
      policy: STRICT,
      deadlineMs: 30_000,
    });
    expect(answer).toMatchObject({ kind: "failed", error: "refused_address", status: null });
    await client.close();
  });
});
