// A merchant of a history and what it does, drawn by chance.
import type { Random } from "@/e2e/faults/fuzz/random";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, inCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import { operatorContext } from "@/server/services/merchants/operator";
import { makeLiveMerchant, makeMerchant, OPENING } from "@/server/testing/merchant";
import { type Books, isUnderWay, type Request, type RequestKind, type Told } from "./books";
import { replay, send, sendAllOpen, settle } from "./client";
import { approve, createKey, invite, revokeKey } from "./people";
import { type AskedPayment, newCallbackId } from "./provider";
import type { Stage } from "./stage";

/** A callback of the provider; it is sent again until it is taken. */
interface Callback {
  readonly payment: AskedPayment;
  readonly id: string;
}

export interface HistoryMerchant {
  /** Replaced by those of a backup when a restore loses what came after it. */
  books: Books;
  byMember(): CallContext;
  readonly untaken: Callback[];
  readonly taken: Callback[];
}

const LIVE_OPENING = 1_000_000_000n;
/** Members that `makeMerchant` makes are known by the calls that it gives for them. */
const MEMBERS = 8;

export async function makeHistoryMerchant(cell: Cell, environment: "test" | "live"): Promise<HistoryMerchant> {
  const make = async () => {
    const merchant = await (environment === "live" ? makeLiveMerchant() : makeMerchant());
    const { merchantId } = merchant;
    const key = await createApiKey(operatorContext(merchantId, environment), "First");
    return { merchant, key };
  };
  const { merchant, key } = await inCell(cell, make);
  const members = Array.from({ length: MEMBERS }, () => merchant.byMember().actor.id);
  const books: Books = {
    merchantId: merchant.merchantId,
    environment,
    opening: environment === "live" ? LIVE_OPENING : OPENING,
    home: cell.name,
    keys: [{ key, isRevoked: false }],
    payments: new Map(),
    payouts: new Map(),
    approved: new Set(),
    endpoints: new Map(),
    members: new Set(members),
    unsure: new Set(),
    answered: [],
    open: [],
    walks: [],
  };
  return { books, byMember: () => merchant.byMember(), untaken: [], taken: [] };
}

/** One drawn act. What it needs may be missing; then nothing happens. */
type Act = (stage: Stage, merchant: HistoryMerchant, random: Random, patienceMs: number) => Promise<void>;

const amounts = new WeakMap<Stage, number>();

/** The next amount of a history, in minor units: no two objects have the same. The last digits mean nothing to the sandbox. */
function nextAmount(stage: Stage, lastDigits: "00" | "50"): string {
  const next = (amounts.get(stage) ?? 10) + 1;
  amounts.set(stage, next);
  return `${next}${lastDigits}`;
}

const keyOf = ({ keys, unsure }: Books, random: Random) =>
  random.pick(keys.filter(({ key, isRevoked }) => !isRevoked && !unsure.has(key.id))).key;

function request(
  books: Books,
  random: Random,
  kind: RequestKind,
  path: string,
  others: Partial<Pick<Request, "subject" | "method" | "body">> = {},
): Request {
  const plain = { subject: null, method: "POST" as const, key: keyOf(books, random), idempotencyKey: newId("request") };
  return { kind, path, ...plain, ...others };
}

const createPayment: Act = (stage, { books }, random, patienceMs) => {
  const body = {
    amount: nextAmount(stage, "50"),
    currency: "BRL",
    country: "BR",
    payment_method: "BR_PIX",
    merchant_reference: newId("event"),
  };
  return send(stage, books, request(books, random, "create payment", "/payment_intents", { body }), patienceMs);
};

/** The body of a payout's creation. */
export const payoutBody = (amount: string, reference: string) => ({
  amount,
  currency: "BRL",
  country: "BR",
  merchant_reference: reference,
  recipient: { type: "bank_account", account_number: "0001-123456789", bank_code: "001", holder_name: "Ana Souza" },
});

const createPayout: Act = (stage, { books }, random, patienceMs) => {
  const body = payoutBody(nextAmount(stage, "00"), newId("event"));
  return send(stage, books, request(books, random, "create payout", "/payout_intents", { body }), patienceMs);
};

/** One of those objects that nothing is under way for. */
function pickOf(
  books: Books,
  random: Random,
  told: ReadonlyMap<string, Told>,
  isWanted: (id: string, one: Told) => boolean,
) {
  const ids = [...told].filter(([id, one]) => isWanted(id, one) && !isUnderWay(books, id)).map(([id]) => id);
  return ids.length > 0 ? random.pick(ids) : null;
}

const isAtGate =
  ({ approved }: Books) =>
  (id: string, { status }: Told) =>
    status === "requires_approval" && !approved.has(id);

const cancelPayout: Act = async (stage, { books }, random, patienceMs) => {
  const subject = pickOf(books, random, books.payouts, isAtGate(books));
  if (!subject) return;
  const path = `/payout_intents/${subject}/cancel`;
  await send(stage, books, request(books, random, "cancel payout", path, { subject, body: {} }), patienceMs);
};

const approvePayout: Act = async (stage, { books, byMember }, random, patienceMs) => {
  const id = pickOf(books, random, books.payouts, isAtGate(books));
  if (id) await approve(stage, books, id, byMember(), patienceMs);
};

/** A payer pays: the test merchant calls the sandbox, or the provider sends a callback. */
const pay: Act = async (stage, merchant, random, patienceMs) => {
  const { books } = merchant;
  if (books.environment === "live") return payAtProvider(stage, merchant, random);
  const subject = pickOf(books, random, books.payments, (_, { status }) => status === "requires_action");
  if (!subject) return;
  const body = { id: subject, outcome: "succeeded" };
  await send(stage, books, request(books, random, "simulate", "/sandbox/simulate", { subject, body }), patienceMs);
};

async function payAtProvider(stage: Stage, merchant: HistoryMerchant, random: Random): Promise<void> {
  const { untaken, taken } = merchant;
  const unpaid = stage.provider.unpaidOf(merchant.books.merchantId);
  if (unpaid.length > 0) {
    const payment = random.pick(unpaid);
    payment.isPaid = true;
    untaken.push({ payment, id: newCallbackId() });
  }
  if (taken.length > 0 && random.chance(0.25)) untaken.push(random.pick(taken));
  await sendCallbacks(stage, merchant);
}

/** Sends the callbacks that nobody has taken yet. */
export async function sendCallbacks(stage: Stage, { untaken, taken }: HistoryMerchant): Promise<void> {
  const waiting = [...untaken];
  for (const callback of waiting) {
    if (!(await stage.provider.report(callback.payment, callback.id))) continue;
    untaken.splice(untaken.indexOf(callback), 1);
    taken.push(callback);
    stage.count("callbacks");
  }
}

const replayOne: Act = async (stage, { books }, random, patienceMs) => {
  if (books.answered.length > 0) await replay(stage, books, random.below(books.answered.length), patienceMs);
};

const createEndpoint: Act = async (stage, { books }, random, patienceMs) => {
  // A live one must have https, which the receiver does not.
  if (books.environment === "live") return;
  const body = { url: stage.hooksUrl, description: newId("event") };
  await send(stage, books, request(books, random, "create endpoint", "/webhook_endpoints", { body }), patienceMs);
};

const changeEndpoint: Act = async (stage, { books }, random, patienceMs) => {
  const ids = [...books.endpoints].filter(([id, one]) => !one.isDeleted && !isUnderWay(books, id)).map(([id]) => id);
  if (ids.length === 0) return;
  const subject = random.pick(ids);
  const path = `/webhook_endpoints/${subject}`;
  const change = random.chance(0.3)
    ? request(books, random, "delete endpoint", path, { subject, method: "DELETE" })
    : request(books, random, "update endpoint", path, {
        subject,
        method: "PATCH",
        body: { description: newId("event") },
      });
  await send(stage, books, change, patienceMs);
};

const revokeOne: Act = async (stage, { books }, random, patienceMs) => {
  const isNeeded = (id: string) => books.open.some(({ key }) => key.id === id);
  // The first key stays, so that there is always one.
  const ids = books.keys.slice(1).flatMap(({ key, isRevoked }) => (isRevoked || isNeeded(key.id) ? [] : [key.id]));
  if (ids.length > 0) await revokeKey(stage, books, random.pick(ids), patienceMs);
};

const PAGE = 2;

/** Reads the first page of the payments; the rest is read much later. */
const beginWalk: Act = async (stage, { books }, random, patienceMs) => {
  const before = [...books.payments.keys()];
  const answer = await settle(
    stage,
    keyOf(books, random),
    { method: "GET", path: `/payment_intents?limit=${PAGE}` },
    patienceMs,
  );
  if (!answer) return;
  const { data, next_cursor } = JSON.parse(answer.text) as { data: { id: string }[]; next_cursor: string | null };
  if (next_cursor) books.walks.push({ cursor: next_cursor, seen: data.map(({ id }) => id), before });
};

const retryOpen: Act = (stage, { books }, _, patienceMs) => sendAllOpen(stage, books, patienceMs);

const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [5, createPayment],
  [5, createPayout],
  [3, approvePayout],
  [2, cancelPayout],
  [4, pay],
  [3, replayOne],
  [1, createEndpoint],
  [1, changeEndpoint],
  [1, (stage, { books }, _, patienceMs) => invite(stage, books, patienceMs)],
  [1, (stage, { books }, _, patienceMs) => createKey(stage, books, patienceMs)],
  [1, revokeOne],
  [1, beginWalk],
  [3, retryOpen],
];
const BAG = ACTS.flatMap(([weight, one]) => Array.from({ length: weight }, () => one));

/** The merchant does something. Requests that are not answered within that time stay open. */
export function actOf(stage: Stage, merchant: HistoryMerchant, random: Random, patienceMs: number): Promise<void> {
  return random.pick(BAG)(stage, merchant, random, patienceMs);
}
