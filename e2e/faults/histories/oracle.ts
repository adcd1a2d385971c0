// What a history must come to, by the provider's own record: nothing here knows how the service decides.
import type { Bridge } from "../../rest/bridge";
import { walletOf } from "../../rest/calls";
import type { Line } from "../../support/fake-psp/record";
import type { Created } from "./clients";
import { KINDS, type Kind } from "./kinds";

/** An intent of a history, as the database has it. */
export interface Row {
  readonly kind: Kind;
  readonly id: string;
  readonly merchantReference: string;
  /** By which the provider knows it. */
  readonly reference: string;
  readonly status: string;
  /** What the wallet gains or loses by it. */
  readonly amount: string;
}

const AMOUNTS: Readonly<Record<Kind, string>> = { payment: "amount", payout: "amount", topup: "destination_amount" };
const SIGNS: Readonly<Record<Kind, bigint>> = { payment: 1n, payout: -1n, topup: 1n };
/** The statuses in which nothing more happens by itself once the provider has not executed it. */
const RESTS: Readonly<Record<Kind, readonly string[]>> = {
  payment: ["requires_action", "failed", "expired"],
  payout: ["requires_approval", "failed", "cancelled"],
  topup: ["requires_payment", "failed", "expired"],
};

/** Available and held minor units of the currency in which the clients write. */
export async function moneyOf({ live }: Bridge): Promise<bigint> {
  const { available, held } = await walletOf(live, "BRL");
  return available + held;
}

function complaintsAbout({ kind, id, reference, status }: Row, lines: readonly Line[]): string[] {
  const own = lines.filter((line) => line.reference === reference);
  const executions = own.filter(({ event }) => event === "executed").length;
  if (executions > 1) return [`${kind} ${id} was executed ${executions} times`];
  if (executions === 1) return status === "succeeded" ? [] : [`${kind} ${id} was executed, and is ${status}`];
  if (!RESTS[kind].includes(status)) return [`${kind} ${id} was not executed, and is ${status}`];
  if (status === "cancelled" && own.length > 0) return [`${kind} ${id} is cancelled, and the provider has it`];
  return [];
}

/** The intents that were created, as they are now. */
export async function readRows({ world }: Pick<Bridge, "world">, created: readonly Created[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const found = await world.database.query<Omit<Row, "kind">>(
      `SELECT id, merchant_reference AS "merchantReference", coalesce(dispatch_reference, id) AS reference, status,
              ${AMOUNTS[kind]}::text AS amount
       FROM ${KINDS[kind].table} WHERE merchant_reference = ANY($1)`,
      created.filter((one) => one.kind === kind).map(({ merchantReference }) => merchantReference),
    );
    rows.push(...found.map((row) => ({ ...row, kind })));
  }
  return rows;
}

/** Returns what differs between these rows and the record now; the service may still be on its way there. */
export async function compare(
  bridge: Bridge,
  created: readonly Created[],
  rows: readonly Row[],
  moneyBefore: bigint,
): Promise<string[]> {
  const lines = await bridge.psp.record();
  const problems: string[] = [];
  let money = moneyBefore;
  for (const { kind, merchantReference, answer } of created) {
    const own = rows.filter((row) => row.kind === kind && row.merchantReference === merchantReference);
    const { id } = answer.body as { id: string };
    if (own.length !== 1 || own[0]?.id !== id)
      problems.push(`${merchantReference} was answered with ${id}, and is ${JSON.stringify(own.map((row) => row.id))}`);
  }
  for (const row of rows) {
    problems.push(...complaintsAbout(row, lines));
    const isExecuted = lines.some(({ reference, event }) => reference === row.reference && event === "executed");
    if (isExecuted) money += SIGNS[row.kind] * BigInt(row.amount);
  }
  const found = await moneyOf(bridge);
  if (found !== money) problems.push(`the wallet holds ${found} instead of ${money}`);
  return problems;
}
