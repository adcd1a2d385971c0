// Payouts: created from many wallets and from one, and cancelled at the gate.
import { randomUUID } from "node:crypto";
import type { Bench, Section } from "../bench";
import { overHttp, service } from "../contestants";
import type { HttpRequest } from "../load";
import { CANCEL, PAYOUTS_MANY, PAYOUTS_ONE } from "../names";
import type { Case } from "../rounds";
import type { Party, Stage } from "../stage";

const PATH = "/v1/payout_intents";
/** Fifty wallets are ten merchants with five currencies each. A command creates a merchant in about a second. */
const CURRENCIES = ["BRL", "MXN", "ARS", "NGN", "USDT"];
const MERCHANTS = 10;

interface Wallet {
  readonly party: Party;
  readonly currency: string;
}

async function makeWallets(stage: Stage): Promise<Wallet[]> {
  const wallets: Wallet[] = [];
  for (let n = 0; n < MERCHANTS; n += 1) {
    const party = await stage.addParty("Bench wallets", CURRENCIES);
    wallets.push(...CURRENCIES.map((currency) => ({ party, currency })));
  }
  return wallets;
}

/** One minor unit each, so that no wallet runs dry. */
function creation({ party, currency }: Wallet): HttpRequest {
  const id = randomUUID();
  const recipient = { type: "bank_account", account_number: "0001234567890", bank_code: "001", holder_name: "Ana" };
  const body = { amount: "1", currency, country: "BR", merchant_reference: `payout-${id}`, recipient };
  const { authorization } = party;
  return { method: "POST", path: PATH, key: `key-${id}`, body, authorization };
}

/** In the order in which they must run: the last case cancels what the others created. */
async function measurePayouts({ stage, measure }: Bench): Promise<void> {
  const wallets = await makeWallets(stage);
  const [hot] = wallets;
  if (!hot) throw new Error("payouts need a wallet");
  const parties = [...new Set(wallets.map(({ party }) => party))];
  const ids = parties.map(({ id }) => id);
  const counting = (where: string) => async () => {
    const sql = `SELECT count(*)::int AS n FROM payout_intent WHERE ${where}`;
    return (await stage.database.query<{ n: number }>(sql, ids))[0]?.n ?? 0;
  };
  const made = counting("merchant_id = ANY($1)");
  const cancelled = counting("merchant_id = ANY($1) AND status = 'cancelled'");
  const caseOf = (name: string, next: () => HttpRequest, countRows: () => Promise<number>): Case => ({
    name,
    connections: [32],
    contestants: [overHttp({ ...service(stage), authorization: hot.party.authorization, next, countRows })],
  });
  let turn = 0;
  await measure(caseOf(PAYOUTS_MANY, () => creation(wallets[turn++ % wallets.length] ?? hot), made));
  await measure(caseOf(PAYOUTS_ONE, () => creation(hot), made));
  await measure(caseOf(CANCEL, await cancellations(stage, parties), cancelled));
}

/** Each waiting payout once, ordered by id, which mixes the wallets. */
async function cancellations({ database }: Stage, parties: readonly Party[]): Promise<() => HttpRequest> {
  const owners = new Map(parties.map((party) => [party.id, party]));
  const waiting = await database.query<{ id: string; merchant_id: string }>(
    "SELECT id, merchant_id FROM payout_intent WHERE merchant_id = ANY($1) AND status = 'requires_approval' ORDER BY id",
    [...owners.keys()],
  );
  let turn = 0;
  return () => {
    const { id, merchant_id } = waiting[turn++] ?? { id: "none", merchant_id: "" };
    const authorization = owners.get(merchant_id)?.authorization ?? "";
    const key = `cancel-${randomUUID()}`;
    return { method: "POST", path: `${PATH}/${id}/cancel`, key, body: { reason: "bench" }, authorization };
  };
}

export const payoutSection: Section = { name: "payout", run: measurePayouts };
