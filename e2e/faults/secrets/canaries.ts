// Payouts to account numbers that nothing else contains, created, repeated and refused over HTTP, and paid.
import { setTimeout as sleep } from "node:timers/promises";
import { payoutBody, RECIPIENT, unused } from "../../rest/bodies";
import type { Database } from "../../rest/database";
import type { Answer, Api } from "../../support/api";
import { FORMS } from "./needles";
import { CONTROL } from "./places";

const CLIENTS = 8;
/** One payout in so many is also repeated, and sent again in ways that are refused. */
const ODD_EVERY = 20;
const ENDS_WITHIN_MS = 600_000;

export interface Canaries {
  /** Id of the payout to account number. */
  readonly payouts: ReadonlyMap<string, string>;
  /** Requests with another answer than they must have. */
  readonly problems: readonly string[];
}

/** A text that must be found, in one of the forms in which secrets are looked for. */
interface Control {
  readonly name: string;
  readonly text: string;
  readonly shown: string;
}

/** Returns controls for each form, made from account numbers that are sent as references. */
export function makeControls(numberOf: (name: string) => string): readonly Control[] {
  return FORMS.map((form) => {
    const name = `${CONTROL} ${form}`;
    const text = numberOf(name);
    const encoding = form === "plain" ? "latin1" : form;
    return { name, text, shown: Buffer.from(text).toString(encoding).replace(/=+$/, "") };
  });
}

/**
 * Creates one payout per control, which has it in its reference; every answer is passed to `see`. Returns the id of the last
 * one.
 */
export async function sendControls(
  api: Api,
  controls: readonly Control[],
  see: (answer: Answer) => void,
): Promise<string> {
  let id = "";
  for (const { shown } of controls) {
    const answer = await api.post("/payout_intents", payoutBody({ amount: "100", merchant_reference: `ref ${shown}` }));
    see(answer);
    if (answer.status !== 201) throw new Error(`a control was answered ${answer.status}: ${answer.text}`);
    ({ id } = answer.body as { id: string });
  }
  return id;
}

/** Sends a payout in ways that are refused, and again; returns statuses that are wrong. */
async function sendOddly(api: Api, body: ReturnType<typeof payoutBody>, key: string, see: (answer: Answer) => void) {
  const { recipient } = body;
  const number = recipient.account_number;
  const again = { headers: { "idempotency-key": key } };
  const attempts = [
    [200, await api.post("/payout_intents", { ...body, merchant_reference: body.merchant_reference })],
    [201, await api.post("/payout_intents", body, again)],
    [409, await api.post("/payout_intents", { ...body, recipient: { ...recipient, account_number: `9${number}` } })],
    [422, await api.post("/payout_intents", payoutBody({ recipient, amount: "999999999999999" }))],
    [400, await api.post("/payout_intents", payoutBody({ recipient, amount: "-5" }))],
    [400, await api.post("/payout_intents", payoutBody({ recipient: { ...recipient, account_number: `${number}!` } }))],
  ] as const;
  for (const [, answer] of attempts) see(answer);
  return attempts.flatMap(([status, answer]) => (answer.status === status ? [] : [`${answer.status}, not ${status}`]));
}

/** Creates a payout to each number, by turns in both environments; every answer is passed to `see`. */
export async function sendCanaries(
  apis: readonly Api[],
  numbers: readonly string[],
  see: (answer: Answer) => void,
): Promise<Canaries> {
  const payouts = new Map<string, string>();
  const problems: string[] = [];
  let next = 0;
  async function client(): Promise<void> {
    for (let n = next; n < numbers.length; n = next) {
      next += 1;
      const [api, number] = [apis[n % apis.length], numbers[n]];
      if (!api || number === undefined) return;
      const key = unused("canary");
      const body = payoutBody({ amount: "100", recipient: { ...RECIPIENT, account_number: number } });
      const answer = await api.post("/payout_intents", body, { headers: { "idempotency-key": key } });
      see(answer);
      if (answer.status !== 201) problems.push(`a canary was answered ${answer.status}`);
      else payouts.set((answer.body as { id: string }).id, number);
      if (n % ODD_EVERY === 0) problems.push(...(await sendOddly(api, body, key, see)));
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { payouts, problems };
}

/** Waits until all payouts of the merchant have ended; returns how many succeeded. */
export async function untilPaid(database: Database, merchantId: string): Promise<number> {
  for (const end = Date.now() + ENDS_WITHIN_MS; ; await sleep(500)) {
    const [row] = await database.query<{ open: number; paid: number }>(
      `SELECT count(*) FILTER (WHERE status NOT IN ('succeeded', 'failed', 'cancelled'))::int AS open,
              count(*) FILTER (WHERE status = 'succeeded')::int AS paid
       FROM payout_intent WHERE merchant_id = $1`,
      merchantId,
    );
    if (row?.open === 0 || Date.now() > end) return row?.paid ?? 0;
  }
}

/**
 * Waits until every event of the merchant's test environment was received, by the ids of the messages. Returns what is wrong: events
 * that did not arrive in time.
 */
export async function untilDelivered(
  database: Database,
  merchantId: string,
  receivedIds: () => ReadonlySet<string>,
): Promise<string[]> {
  for (const end = Date.now() + ENDS_WITHIN_MS; ; await sleep(500)) {
    const [row] = await database.query<{ events: number }>(
      "SELECT count(*)::int AS events FROM event WHERE merchant_id = $1 AND environment = 'test'",
      merchantId,
    );
    const [events, received] = [row?.events ?? 0, receivedIds().size];
    if (events > 0 && events === received) return [];
    if (Date.now() > end) return [`of ${events} events, ${received} were received`];
  }
}
