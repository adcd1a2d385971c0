// A trial for the operator's commands that change something, by the command's name.
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unused } from "../../rest/bodies";
import { createPayment, createPayout, simulate } from "../../rest/calls";
import { createEndpoint, deliveriesOf, ENDPOINTS, endedPayment, remove, untilDelivery } from "../../rest/webhook-calls";
import { settle } from "./rest-trial";
import type { Lane } from "./stage";

interface CommandTrial {
  /** The options. */
  readonly words: readonly string[];
  /** What the audit log of the lane's merchant does not tell of the effect. */
  readonly state?: () => Promise<unknown>;
  /** True if the operator repeats it in any case, because it goes on where it ended. */
  readonly isRepeatable?: boolean;
}

const merchantOf = ({ merchant }: Lane) => ["--merchant", merchant.id];
const inTest = (lane: Lane) => [...merchantOf(lane), "--environment", "test"];
const run = (lane: Lane, command: string, ...words: string[]) => lane.bridge.world.cli(...command.split(" "), ...words);

const rowsOf =
  (lane: Lane, sql: string, ...values: unknown[]) =>
  () =>
    lane.bridge.world.database.query(sql, ...values);

/** Another merchant, without people or money. */
const newMerchant = async (lane: Lane) => (await lane.bridge.world.newMerchant()).id;

async function newMember(lane: Lane): Promise<string> {
  const email = `${unused("member")}@staff.example`;
  await run(lane, "members create", ...merchantOf(lane), "--email", email, "--roles", "developer");
  return email;
}

async function newKey(lane: Lane): Promise<string> {
  return ((await run(lane, "keys create", ...inTest(lane))) as { public_key: string }).public_key;
}

const CREDIT = ["--from", "provider_clearing", "--to", "available", "--currency", "BRL", "--provider", "acme"];

async function proposedEntry(lane: Lane): Promise<string> {
  const words = [...CREDIT, "--amount", "100", "--evidence", "A letter.", "--operator", "Maria Lopez"];
  return ((await run(lane, "journal propose", ...inTest(lane), ...words)) as { id: string }).id;
}

const walletOfTest = (lane: Lane) =>
  rowsOf(
    lane,
    "SELECT kind, balance::text FROM ledger_account WHERE merchant_id = $1 AND environment = 'test' AND currency = 'MXN' AND kind = 'available'",
    lane.merchant.id,
  );

/** The commands' trials. */
export const COMMANDS: Readonly<Record<string, (lane: Lane) => Promise<CommandTrial>>> = {
  "merchants create": async (lane) => {
    const name = unused("Merchant");
    const created = rowsOf(
      lane,
      `SELECT (SELECT count(*)::int FROM api_key k WHERE k.merchant_id = m.id) AS keys,
              (SELECT count(*)::int FROM ledger_account a WHERE a.merchant_id = m.id) AS accounts
       FROM merchant m WHERE m.name = $1`,
      name,
    );
    return { words: ["--name", name, "--currencies", "BRL,MXN", "--with-keys"], state: created };
  },
  "merchants suspend": async (lane) => {
    const id = await newMerchant(lane);
    const state = rowsOf(lane, "SELECT suspended_at IS NOT NULL AS suspended FROM merchant WHERE id = $1", id);
    return { words: ["--merchant", id, "--reason", "cut"], state };
  },
  "merchants set-cool-down": async (lane) => ({
    words: [...merchantOf(lane), "--time", `${1 + Math.floor(Math.random() * 600)}m`],
  }),
  "currencies add": async (lane) => {
    const id = await newMerchant(lane);
    const accounts = rowsOf(
      lane,
      "SELECT environment, kind FROM ledger_account WHERE merchant_id = $1 AND currency = 'USD' ORDER BY environment, kind",
      id,
    );
    return { words: ["--merchant", id, "--currency", "USD"], state: accounts };
  },
  "keys create": async (lane) => ({ words: inTest(lane) }),
  "keys roll": async (lane) => ({ words: ["--public-key", await newKey(lane)] }),
  "keys revoke": async (lane) => ({ words: ["--public-key", await newKey(lane)] }),
  "members create": async (lane) => {
    const email = `${unused("created")}@staff.example`;
    return { words: [...merchantOf(lane), "--email", email, "--roles", "developer"] };
  },
  "members set-roles": async (lane) => ({
    words: [...merchantOf(lane), "--email", await newMember(lane), "--roles", "finance"],
  }),
  "members disable": async (lane) => ({ words: [...merchantOf(lane), "--email", await newMember(lane)] }),
  "members reset-password": async (lane) => ({ words: [...merchantOf(lane), "--email", await newMember(lane)] }),
  "wallets fund": async (lane) => ({
    words: [...inTest(lane), "--currency", "MXN", "--amount", "100", "--reference", unused("fund")],
    state: await growthOf(walletOfTest(lane)),
    isRepeatable: true,
  }),
  "payouts approve": async (lane) => {
    const email = `${unused("approver")}@staff.example`;
    await run(lane, "members create", ...merchantOf(lane), "--email", email, "--roles", "approver");
    const { id } = await createPayout(lane.api(lane.merchant.keys.test), { amount: "100" });
    const approvals = rowsOf(lane, "SELECT count(*)::int AS approvals FROM approval WHERE payout_id = $1", id);
    return { words: ["--id", id, "--as", email], state: approvals };
  },
  "topup-terms set": async (lane) => ({
    words: [...inTest(lane), "--spread-basis-points", String(1 + Math.floor(Math.random() * 400))],
  }),
  "payout-limits set": async (lane) => ({
    words: [...inTest(lane), "--currency", "BRL", "--amount", String(1_000_000 + Math.floor(Math.random() * 1e6))],
  }),
  "journal propose": async (lane) => ({
    words: [...inTest(lane), ...CREDIT, "--amount", "100", "--evidence", "A letter.", "--operator", "Maria Lopez"],
  }),
  "journal confirm": async (lane) => {
    const id = await proposedEntry(lane);
    const booked = rowsOf(
      lane,
      "SELECT count(*)::int AS bookings FROM ledger_transaction WHERE unique_key = $1",
      `journal:${id}`,
    );
    return { words: ["--id", id, "--operator", "Jan Novak"], state: booked };
  },
  "exceptions settle": async (lane) => {
    const email = `${unused("finance")}@staff.example`;
    await run(lane, "members create", ...merchantOf(lane), "--email", email, "--roles", "finance");
    const api = lane.api(lane.merchant.keys.test);
    const { id } = await createPayment(api);
    for (const outcome of ["expired", "succeeded"]) await simulate(api, id, outcome);
    const { database } = lane.bridge.world;
    const [exception] = await database.query<{ id: string }>("SELECT id FROM exception WHERE object_id = $1", id);
    const booked = rowsOf(lane, "SELECT reason FROM ledger_transaction WHERE intent_id = $1 ORDER BY reason", id);
    return { words: ["--id", exception?.id ?? "", "--as", email, "--money", "credit"], state: booked };
  },
  "events resend": async (lane) => {
    const api = lane.api(lane.merchant.keys.test);
    const { data } = (await api.get(ENDPOINTS)).body as { data: { id: string }[] };
    await Promise.all(data.map(({ id }) => settle(() => remove(api, `${ENDPOINTS}/${id}`))));
    await createEndpoint(api, lane.receiver.url);
    const { id } = await endedPayment(api);
    await untilDelivery(api, id, ({ state }) => state === "delivered");
    const deliveries = async () => (await deliveriesOf(api, id)).length;
    return { words: [...inTest(lane), "--id", id], state: deliveries };
  },
  "clock advance": async (lane) => {
    const offset = rowsOf(lane, "SELECT offset_ms::text FROM sandbox_clock WHERE merchant_id = $1", lane.merchant.id);
    return { words: [...merchantOf(lane), "--by", "7s"], state: await growthOf(offset) };
  },
  "payers erase": async (lane) => {
    const reference = unused("payer");
    const { id } = await createPayment(lane.api(lane.merchant.keys.test), {
      amount: "1002",
      customer: { reference, email: "eva@example.com" },
    });
    const left = rowsOf(lane, "SELECT customer FROM payment_intent WHERE id = $1", id);
    return { words: [...merchantOf(lane), "--reference", reference], state: left, isRepeatable: true };
  },
  reconcile: async (lane) => {
    const { id } = await createPayment(lane.api(lane.merchant.keys.test), { amount: "1002" });
    const file = join(mkdtempSync(join(lane.bridge.world.service.dataDir, "settlement-")), `${unused("file")}.csv`);
    const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at";
    const line = `${id},payment,${await lane.bridge.referenceOf(id)},px,1002,BRL,12,2020-01-01T00:00:00Z`;
    writeFileSync(file, `${header}\n${line}\n`);
    const booked = rowsOf(lane, "SELECT count(*)::int AS lines FROM settlement_line WHERE line_id = $1", id);
    const words = ["--provider", "sandbox", "--environment", "test", "--file", file];
    const period = ["--from", "2020-01-01T00:00:00Z", "--to", "2020-01-02T00:00:00Z"];
    return { words: [...words, ...period], state: booked, isRepeatable: true };
  },
};

/** Compares with what it is now: only what a trial adds counts. The row's last column is a number as text. */
async function growthOf(read: () => Promise<object[]>): Promise<() => Promise<unknown>> {
  const valueOf = async () => {
    const values = Object.values((await read())[0] ?? {}) as string[];
    return BigInt(values.at(-1) ?? 0);
  };
  const before = await valueOf();
  return async () => Number((await valueOf()) - before);
}

/** A command's name and options as the command line takes them. */
export function wordsOf(name: string, { words }: CommandTrial): readonly string[] {
  return [...name.split(" "), ...words];
}
