// The people and programs around a soak: payers, a reader, a second till with test money, and the receiver of its events.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { paymentBody, unused } from "../../rest/bodies";
import type { Bridge } from "../../rest/bridge";
import type { Written } from "../postgres/load";

/** Of 100 payers, so many pay; the others never do. */
const PAYING = 60;
const PAYS_WITHIN_MS = 50_000;
const READ_EVERY_MS = 100;
/** One read in so many is of a list. */
const LIST_EVERY = 5;
/** The sandbox lets a payment of such an amount succeed at once. */
const TEST_AMOUNT = "1002";

export interface People {
  /** Tells them of a new intent. */
  created(table: Written["table"], id: string): void;
  /** Deliveries that the receiver has accepted, each counted once. */
  received(): number;
  stop(): Promise<void>;
}

/** Counts the ids of messages that a receiver accepts; it keeps nothing else, however many there are. */
async function startCounter() {
  const ids = new Set<string>();
  const server = createServer((request, response) => {
    ids.add(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { ids, url: `http://127.0.0.1:${port}/`, server };
}

/** Starts them; `draw` returns a random number below 1. */
export async function startPeople(bridge: Bridge, draw: () => number): Promise<People> {
  const { live, psp, merchant, world } = bridge;
  const { ids, url, server } = await startCounter();
  // Live events go to public addresses only.
  const till = world.apiFor(merchant.keys.test);
  const answer = await till.post("/webhook_endpoints", { url });
  if (answer.status !== 201) throw new Error(`the endpoint was answered ${answer.status}: ${answer.text}`);
  const timers = new Set<NodeJS.Timeout>();
  let newest = "";
  let reads = 0;

  /** A callback that meets a fault is lost; then a poll finds the payment. */
  const pay = async (table: Written["table"], id: string) => {
    const [row] = await world.database.query<{ reference: string }>(
      `SELECT coalesce(dispatch_reference, id) AS reference FROM ${table} WHERE merchant_id = $1 AND id = $2`,
      merchant.id,
      id,
    );
    const reference = row?.reference ?? "";
    await psp.happen({ reference, event: "executed", ...(table === "topup_intent" && { confirmed: true }) });
  };

  /** A payment with test money, whose event the receiver gets. Nobody repeats it after a fault. */
  const sell = () =>
    till.post("/payment_intents", paymentBody({ amount: TEST_AMOUNT }), {
      headers: { "idempotency-key": unused("till") },
    });

  const reading = setInterval(() => {
    reads += 1;
    const path = reads % LIST_EVERY === 0 || newest === "" ? "/payment_intents" : `/payment_intents/${newest}`;
    void live.get(path).catch(() => {});
  }, READ_EVERY_MS);

  return {
    created(table, id) {
      if (table === "payout_intent") return;
      if (table === "payment_intent") {
        newest = id;
        void sell().catch(() => {});
      }
      if (draw() * 100 >= PAYING) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void pay(table, id).catch(() => {});
      }, draw() * PAYS_WITHIN_MS);
      timers.add(timer);
    },
    received: () => ids.size,
    async stop() {
      clearInterval(reading);
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
