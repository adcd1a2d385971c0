// Judges a history at its end: every cell, against what the callers were told.
import { runCommand } from "@/server/cli/testing/run-command";
import { PAYMENT_TRANSITIONS } from "@/server/domain/payment-transitions";
import { PAYOUT_TRANSITIONS } from "@/server/domain/payout-transitions";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { requireInvariants } from "@/server/testing/invariants";
import { type Answer, call } from "../api-call";
import { fenceIn, rowsOf, tracesIn } from "../rows";
import { sql } from "../three-cells";
import type { Books, Told } from "./books";
import { PATIENCE_MS, replay, settle } from "./client";
import type { HistoryMerchant } from "./merchant";
import type { Stage } from "./stage";

const TRANSITIONS: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  payment_intents: PAYMENT_TRANSITIONS as never,
  payout_intents: PAYOUT_TRANSITIONS as never,
};

/** Whether a status can follow another one, through any others. */
function canFollow(list: string, from: string, to: string): boolean {
  const reached = [from];
  for (const one of reached)
    for (const next of Object.values(TRANSITIONS[list]?.[one] ?? {})) if (!reached.includes(next)) reached.push(next);
  return reached.includes(to);
}

const VOLATILE = ["status", "updated_at", "next_action", "failure_code", "failure_message"];
const lasting = (fields: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.entries(fields).filter(([name]) => !VOLATILE.includes(name)));

const SAMPLE = 8;

/** Some of the values, from the first to the last. */
function sampleOf<Value>(values: readonly Value[]): Value[] {
  const step = Math.max(1, Math.floor(values.length / SAMPLE));
  return values.filter((_, at) => at % step === 0);
}

type Complain = (what: string) => void;
type Shown = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

/** Judges all merchants and cells; problems are noted on the stage. */
export async function judge(stage: Stage, merchants: readonly HistoryMerchant[]): Promise<void> {
  const complain: Complain = (what) => stage.problems.push(what);
  for (const merchant of merchants) await judgeMerchant(stage, merchant.books, complain);
  judgeProvider(stage, merchants, complain);
  for (const cell of allCells()) {
    const traces = await tracesIn(cell);
    if (traces.length > 0) complain(`${cell.name} has traces of moves: ${traces.slice(0, 3).join(", ")}`);
  }
  const { cells } = (await runCommand("audit", "verify")) as { cells?: { cell: string; broken: number }[] };
  for (const { cell, broken } of cells ?? []) if (broken > 0) complain(`${broken} audit chains of ${cell} are broken`);
  if (!cells) complain("audit verify gave no report");
  await inEachCell(async ({ name }) => requireInvariants().catch((error) => complain(`${name}: ${String(error)}`)));
}

/** A merchant whose move was killed is open again once a worker has looked at it. */
export async function requireOpen(stage: Stage, books: Books): Promise<void> {
  await read(stage, books, "/wallets", (what) => stage.problems.push(`${books.merchantId} does not open: ${what}`));
}

async function judgeMerchant(stage: Stage, books: Books, complain: Complain): Promise<void> {
  const own: Complain = (what) => complain(`${books.merchantId}: ${what}`);
  if (books.open.length > 0) own(`${books.open.length} requests have no answer: ${books.open[0]?.kind}`);
  const home = await findHome(books, own);
  if (!home) return;
  const payments = await judgeList(stage, books, "payment_intents", books.payments, own);
  const payouts = await judgeList(stage, books, "payout_intents", books.payouts, own);
  await judgeWalks(stage, books, own);
  await judgeBalance(stage, books, payments, payouts, own);
  for (const { amount, status } of payments as readonly (Shown & { amount: string })[])
    if (books.environment === "live" && stage.provider.isPaid(amount) && status !== "succeeded")
      own(`the payment of ${amount} was paid, and is ${status}`);
  await judgeKeys(books, home, own);
  await judgeRows(books, home, own);
  for (const at of sampleOf([...books.answered.keys()])) await replay(stage, books, at, PATIENCE_MS.much);
}

/** The one cell in which the merchant is open. The others have no row of it. */
async function findHome({ merchantId, home }: Books, complain: Complain): Promise<Cell | null> {
  const open: Cell[] = [];
  for (const cell of allCells()) {
    const fence = await fenceIn(cell, merchantId);
    const rows = Object.keys(await rowsOf(cell, merchantId));
    if (fence === null && rows.length > 0) open.push(cell);
    else if (rows.length > 0) complain(`${cell.name} has rows of it (${rows.slice(0, 3).join(", ")}) behind ${fence}`);
    if (fence !== null && !fence.startsWith("left ")) complain(`${cell.name} has the fence ${fence}`);
  }
  const names = open.map(({ name }) => name).join(", ");
  if (open.length !== 1) complain(`it is open in ${open.length} cells: ${names}`);
  if (home !== null && names !== home) complain(`it is open in ${names}, and the last command said ${home}`);
  return open[0] ?? null;
}

async function read(stage: Stage, books: Books, path: string, complain: Complain): Promise<Answer | null> {
  // Keys from before a move work as well as new ones.
  const [first] = books.keys;
  if (!first) return null;
  const answer = await settle(stage, first.key, { method: "GET", path }, PATIENCE_MS.much);
  if (answer?.status !== 200) complain(`${path} was answered ${answer?.status} ${answer?.text}`);
  return answer?.status === 200 ? answer : null;
}

const PAGE = 50;

async function readList(stage: Stage, books: Books, path: string, cursor: string | null, complain: Complain) {
  const rows: Shown[] = [];
  for (let next = cursor; ; ) {
    const query = `limit=${PAGE}${next === null ? "" : `&cursor=${encodeURIComponent(next)}`}`;
    const answer = await read(stage, books, `${path}?${query}`, complain);
    if (!answer) return rows;
    const page = JSON.parse(answer.text) as { data: Shown[]; next_cursor: string | null };
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    next = page.next_cursor;
  }
}

/** What was acknowledged is there once, as it was told or with a later status; and nothing else is. */
async function judgeList(
  stage: Stage,
  books: Books,
  list: string,
  told: ReadonlyMap<string, Told>,
  complain: Complain,
): Promise<readonly Shown[]> {
  const shown = await readList(stage, books, `/${list}`, null, complain);
  const ids = shown.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) complain(`${list} shows an object twice`);
  for (const one of shown) {
    const known = told.get(one.id);
    if (!known) complain(`${list} has ${one.id}, for which nobody got an answer`);
    else if (lasting(known.fields) !== lasting(one))
      complain(`${one.id} is ${lasting(one)}, not ${lasting(known.fields)}`);
    else if (!canFollow(list, known.status, one.status)) complain(`${one.id} was ${known.status} and is ${one.status}`);
  }
  for (const id of told.keys()) if (!ids.includes(id)) complain(`${list} lacks ${id}, which was acknowledged`);
  for (const id of sampleOf([...told.keys()])) await read(stage, books, `/${list}/${id}`, complain);
  const live = books.environment === "live" && list === "payout_intents";
  for (const { id, status } of live ? shown : [])
    if (status !== "succeeded") complain(`the payout ${id} is ${status} although nothing holds it up`);
  return shown;
}

/** Lists that were begun before go on from their cursors: what was there then comes once. */
async function judgeWalks(stage: Stage, books: Books, complain: Complain): Promise<void> {
  for (const { cursor, seen, before } of books.walks) {
    const rest = await readList(stage, books, "/payment_intents", cursor, complain);
    const met = [...seen, ...rest.map(({ id }) => id)];
    const wrong = before.filter((id) => met.filter((one) => one === id).length !== 1);
    if (wrong.length > 0) complain(`a list that was read on met ${wrong.join(", ")} not once`);
  }
}

async function judgeBalance(
  stage: Stage,
  books: Books,
  payments: readonly Shown[],
  payouts: readonly Shown[],
  complain: Complain,
): Promise<void> {
  const sum = (rows: readonly Shown[], ...statuses: readonly string[]) =>
    rows
      .filter(({ status }) => statuses.includes(status))
      .reduce((total, row) => total + BigInt(String(row["amount"])), 0n);
  const held = sum(payouts, "requires_approval", "processing");
  const available = books.opening + sum(payments, "succeeded") - sum(payouts, "succeeded") - held;
  const answer = await read(stage, books, "/wallets", complain);
  if (!answer) return;
  const { data } = JSON.parse(answer.text) as { data: { currency: string; available: string; held: string }[] };
  const wallet = data.find(({ currency }) => currency === "BRL");
  if (wallet?.available !== String(available) || wallet.held !== String(held))
    complain(`its wallet has ${wallet?.available} and ${wallet?.held}, not ${available} and ${held}`);
}

/** Keys work, and revoked ones do not. */
async function judgeKeys(books: Books, home: Cell, complain: Complain): Promise<void> {
  for (const { key, isRevoked } of books.keys) {
    if (books.unsure.has(key.id)) continue;
    const { status } = await call(key, { method: "GET", path: "/wallets" });
    if (status !== (isRevoked ? 401 : 200))
      complain(`the key ${key.publicKey}, ${isRevoked ? "revoked" : "valid"}, was answered ${status} in ${home.name}`);
  }
}

/** What the API does not show: members, endpoints and deliveries. */
async function judgeRows(books: Books, home: Cell, complain: Complain): Promise<void> {
  const rowsIn = (text: string) => inCell(home, () => sql(home, text, books.merchantId));
  const members = await rowsIn("SELECT id, email FROM member WHERE merchant_id = $1");
  for (const { id, email } of members)
    if (!books.members.has(String(id)) && !books.unsure.has(String(email)))
      complain(`nobody invited the member ${String(id)}`);
  for (const id of books.members) if (!members.some((one) => one["id"] === id)) complain(`the member ${id} is missing`);
  const endpoints = await rowsIn(
    "SELECT id, description FROM webhook_endpoint WHERE merchant_id = $1 AND deleted_at IS NULL",
  );
  const told = [...books.endpoints].filter(([, { isDeleted }]) => !isDeleted);
  const expected = told.map(([id, { description }]) => `${id} ${description}`).sort();
  const found = endpoints.map(({ id, description }) => `${String(id)} ${String(description)}`).sort();
  if (found.join() !== expected.join()) complain(`its endpoints are ${found.join()}, not ${expected.join()}`);
  const pending = await rowsIn(
    `SELECT d.id, d.attempts, d.step, d.in_flight, (d.due_at - now())::text AS due_in, e.state AS endpoint, e.deleted_at
     FROM delivery d JOIN webhook_endpoint e ON e.merchant_id = d.merchant_id AND e.id = d.endpoint_id
     WHERE d.merchant_id = $1 AND d.state = 'pending'`,
  );
  if (pending.length > 0) complain(`${pending.length} deliveries wait, such as ${JSON.stringify(pending[0])}`);
}

/** Each approved payout of a live merchant was executed once, and nothing else. */
function judgeProvider({ provider }: Stage, merchants: readonly HistoryMerchant[], complain: Complain): void {
  const amounts = provider.executedAmounts();
  const twice = amounts.filter((amount, at) => amounts.indexOf(amount) !== at);
  if (twice.length > 0) complain(`the provider has paid twice: ${twice.join(", ")}`);
  const live = merchants.filter(({ books }) => books.environment === "live");
  const known = live.flatMap(({ books }) => [...books.payouts.values()].map(({ fields }) => String(fields["amount"])));
  for (const amount of known) if (!amounts.includes(amount)) complain(`the provider has not paid ${amount}`);
}
