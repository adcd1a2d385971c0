// The orders, as files, so that the example needs no database. Each fact of an order is a file that is written once: two
// requests at once, or a crash, cannot undo one.
import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface Placed {
  readonly productId: string;
  /** Minor units of BRL, fixed when the order was placed. */
  readonly amount: number;
}

/** The final states. */
export type End = "paid" | "failed" | "expired";

export interface Order extends Placed {
  /** A UUID, which is also its `merchant_reference`. */
  readonly id: string;
  /** Null until the payment was created. */
  readonly paymentId: string | null;
  readonly state: "open" | End;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for the id of an order. Nothing else becomes a part of a path. */
export function isOrderId(text: string): boolean {
  return UUID.test(text);
}

type Fact = "placed" | "payment" | "end";

const folder = () => process.env.ORDERS_DIR ?? "orders";
const fileOf = (id: string, fact: Fact) => join(folder(), `${id}.${fact}.json`);
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

async function read<Value>(id: string, fact: Fact): Promise<Value | null> {
  try {
    return JSON.parse(await readFile(fileOf(id, fact), "utf8")) as Value;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Writes a fact unless it is there already. */
async function writeOnce(id: string, fact: Fact, value: unknown): Promise<void> {
  await mkdir(folder(), { recursive: true });
  const draft = join(folder(), `${randomUUID()}.draft`);
  await writeFile(draft, JSON.stringify(value));
  try {
    await link(draft, fileOf(id, fact));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
}

/** Returns the order, or null. */
export async function findOrder(id: string): Promise<Order | null> {
  const placed = isOrderId(id) ? await read<Placed>(id, "placed") : null;
  if (!placed) return null;
  const [paymentId, end] = await Promise.all([read<string>(id, "payment"), read<End>(id, "end")]);
  return { id, ...placed, paymentId, state: end ?? "open" };
}

/** Stores a new order. One that has its id already stays as it is. */
export async function placeOrder(id: string, placed: Placed): Promise<void> {
  await writeOnce(id, "placed", placed);
}

/** Stores which payment an order has. */
export async function recordPayment(id: string, paymentId: string): Promise<void> {
  await writeOnce(id, "payment", paymentId);
}

/** Gives an order its final state. The first one stays. */
export async function endOrder(id: string, end: End): Promise<void> {
  await writeOnce(id, "end", end);
}
