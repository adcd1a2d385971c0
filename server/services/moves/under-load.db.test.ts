// A merchant moves while it works, between cells whose owners are no superusers: nothing is lost or doubled, and it waits for
// moments only.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { handleApiRequest } from "@/server/http/handler";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { createApiKey } from "@/server/services/api-keys/create";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { runWorker } from "@/server/worker/run";
import { tracesIn } from "./testing/rows";

process.env.WEBHOOK_ALLOW_LOOPBACK = "true";
// Bounds for what hangs: two cores may be shared.
vi.setConfig({ hookTimeout: 300_000 });

const PEER = { address: "192.0.2.1", duplicateHeaders: [] };
const CLIENTS = 2;
/** Of each client between two payments: the mover shares this process with them, the service and a worker. */
const PAUSE_MS = 150;
const RETRY_MS = 20;

let cells: PlainCells;
let first: Cell;
let second: Cell;
let ending: AbortController;
let worker: Promise<void>;
let receiver: Server;
/** Ids of the events that were received. */
let received: string[];

beforeAll(async () => {
  reachEveryMerchant();
  // What a move says while it runs.
  catchStandardError();
  cells = await openPlainCells();
  ({ first, second } = cells);
});
beforeEach(async () => {
  received = [];
  receiver = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  ending = new AbortController();
  worker = runWorker(ending.signal);
});
afterEach(async () => {
  ending.abort();
  await worker;
  receiver.close();
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

async function call(key: CreatedKey, method: string, path: string, body?: object, idempotencyKey = newId("request")) {
  const credentials = Buffer.from(`${key.publicKey}:${key.secretKey}`).toString("base64");
  const headers = new Headers({
    authorization: `Basic ${credentials}`,
    "content-type": "application/json",
    ...(method === "POST" && { "idempotency-key": idempotencyKey }),
  });
  const readBody = () => Promise.resolve(Buffer.from(body ? JSON.stringify(body) : ""));
  const answer = await handleApiRequest({ method, target: `/v1${path}`, headers, peer: PEER, readBody });
  return { status: answer.status, text: answer.body ?? "" };
}

/** Sends it until the answer is definite. While a first try is under way in the cell that the merchant leaves, its key is locked. */
async function settle(send: () => ReturnType<typeof call>): ReturnType<typeof call> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503 && answer.status !== 409) return answer;
    await sleep(RETRY_MS);
  }
}

interface Created {
  readonly idempotencyKey: string;
  readonly body: object;
  readonly text: string;
}

/** Clients that create payments, each until it is answered, under one key. */
function startClients(key: CreatedKey) {
  const created: Created[] = [];
  const strange: string[] = [];
  let isStopped = false;
  const client = async (): Promise<void> => {
    for (; !isStopped; await sleep(PAUSE_MS)) {
      const idempotencyKey = newId("request");
      const body = {
        amount: "1050",
        currency: "BRL",
        country: "BR",
        payment_method: "BR_PIX",
        merchant_reference: newId("event"),
      };
      const payment = await settle(() => call(key, "POST", "/payment_intents", body, idempotencyKey));
      if (payment.status !== 201) {
        strange.push(`${payment.status} ${payment.text}`);
        continue;
      }
      created.push({ idempotencyKey, body, text: payment.text });
      const { id } = JSON.parse(payment.text) as { id: string };
      await settle(() =>
        call(key, "POST", "/sandbox/simulate", { id, outcome: "succeeded" }, `${idempotencyKey}-paid`),
      );
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    created,
    strange,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
}

it("loses and doubles nothing, there and back", async () => {
  const merchant = await inCell(first, makeMerchant);
  const { merchantId } = merchant;
  const key = await inCell(first, () => createApiKey(merchant.context, "Key"));
  const { port } = receiver.address() as AddressInfo;
  const endpoint = { url: `http://127.0.0.1:${port}/hooks` };
  expect((await call(key, "POST", "/webhook_endpoints", endpoint)).status).toBe(201);
  const clients = startClients(key);
  const grows = async () => {
    const before = clients.created.length;
    await vi.waitFor(() => expect(clients.created.length).toBeGreaterThan(before + 8), 300_000);
  };
  for (const to of [second, first]) {
    await grows();
    const done = await runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");
    expect(done).toMatchObject({ phase: "done", to: to.name });
    await grows();
  }
  await clients.stop();
  expect(clients.strange).toEqual([]);

  const count = "SELECT count(*)::int AS n FROM payment_intent WHERE merchant_id = $1";
  expect(await inCell(first, () => query(count, merchantId))).toEqual([{ n: clients.created.length }]);
  for (const { idempotencyKey, body, text } of clients.created.filter((_, at) => at % 10 === 0)) {
    const again = await call(key, "POST", "/payment_intents", body, idempotencyKey);
    expect(again).toEqual({ status: 201, text });
  }
  const open = "SELECT count(*)::int AS n FROM delivery WHERE merchant_id = $1 AND state <> 'delivered'";
  await vi.waitFor(async () => expect(await inCell(first, () => query(open, merchantId))).toEqual([{ n: 0 }]), 100_000);
  const events = await inCell(first, () =>
    query<{ id: string }>("SELECT id FROM event WHERE merchant_id = $1", merchantId),
  );
  expect(events.length).toBeGreaterThan(0);
  expect(received.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  for (const cell of [first, second]) expect(await tracesIn(cell)).toEqual([]);
  await inEachCell(requireInvariants);
}, 1_200_000);
