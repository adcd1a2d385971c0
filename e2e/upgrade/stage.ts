// A running service of an earlier release with two fake providers, and the calls that scenes make on it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type * as world from "../rest/world";
import type { Api } from "../support/api";
import type * as fakePsp from "../support/fake-psp/start";
import type * as merchants from "../support/merchant";
import type { Merchant } from "../support/merchant";
import type * as receivers from "../support/receiver";
import type * as service from "../support/service";
import type * as processes from "../support/service-process";

const run = promisify(execFile);

type Body = Readonly<Record<string, unknown>>;
export type Intent = Body & { readonly id: string; readonly status: string };
export type Psp = fakePsp.FakePsp;
export type Environment = "test" | "live";

interface Postgres {
  stop(): Promise<void>;
}

/** The release's module of that name. */
interface EmbeddedPostgres {
  startEmbeddedPostgres(options: { readonly dataDir: string }): Promise<Postgres>;
}

/** One merchant with its clients and people. */
export interface Party {
  readonly merchant: Merchant;
  readonly test: Api;
  readonly live: Api;
  /** Address of a member who decides exceptions. */
  readonly finance: string;
  /** Addresses of members who approve payouts. */
  readonly approvers: readonly string[];
}

export interface Stage {
  readonly release: string;
  readonly world: world.World;
  readonly acme: Psp;
  readonly zeta: Psp;
  readonly receiver: receivers.Receiver;
  cli(...words: readonly string[]): Promise<Body>;
  close(): Promise<void>;
}

const PATHS: Readonly<Record<string, string>> = {
  dord: "/payment_intents",
  word: "/payout_intents",
  tuin: "/topup_intents",
};

/** The path below `/v1` for reading an intent. */
export function pathOf(id: string): string {
  return `${PATHS[id.slice(0, 4)]}/${id}`;
}

const load = async <Module>(release: string, path: string) => (await import(join(release, path))) as Module;

/** Runs a command of the release and returns its document. Throws if it printed none. */
async function runCommand(
  release: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<string> {
  const { serviceVariables } = await load<typeof processes>(release, "e2e/support/service-process.ts");
  const main = join(release, "server/cli/main.ts");
  try {
    return (
      await run(process.execPath, ["--import", "tsx", main, ...words], { cwd: release, env: serviceVariables(env) })
    ).stdout;
  } catch (error) {
    // A command that finds work for a person prints its document and exits with 1.
    const { stdout } = error as { readonly stdout?: string };
    if (stdout) return stdout;
    throw error;
  }
}

/** Starts the release whose sources are in the folder `release`, built and with its packages. */
export async function openStage(release: string): Promise<Stage> {
  const { startFakePsp } = await load<typeof fakePsp>(release, "e2e/support/fake-psp/start.ts");
  const { startService } = await load<typeof service>(release, "e2e/support/service.ts");
  const { openWorld } = await load<typeof world>(release, "e2e/rest/world.ts");
  const { startReceiver } = await load<typeof receivers>(release, "e2e/support/receiver.ts");
  const [acme, zeta] = [await startFakePsp("acme"), await startFakePsp("zeta")];
  const both = [{ name: "acme" }, { name: "zeta", weight: 0 }];
  const routes = [
    { kind: "payment", method: "MX_SPEI", environment: "live", providers: both },
    { kind: "payout", currency: "MXN", environment: "live", providers: both },
  ];
  const env = {
    PROVIDERS: JSON.stringify([acme.config(), zeta.config()]),
    ROUTES: JSON.stringify(routes),
    PROVIDER_DEADLINE_MS: "10000",
  };
  const opened = await openWorld(await startService({ env }));
  await Promise.all([acme, zeta].map((psp) => psp.callbacksTo(opened.service.baseUrl)));
  const receiver = await startReceiver();
  return {
    release,
    world: opened,
    acme,
    zeta,
    receiver,
    cli: async (...words) =>
      JSON.parse(await runCommand(release, { ...env, DATA_DIR: opened.service.dataDir }, words)) as Body,
    async close() {
      await opened.close();
      await Promise.all([acme.stop(), zeta.stop(), receiver.stop()]);
    },
  };
}

/** Starts the database of a service whose processes have exited. */
export async function startPostgres(stage: Stage): Promise<Postgres> {
  const { startEmbeddedPostgres } = await load<EmbeddedPostgres>(stage.release, "server/platform/embedded-postgres.ts");
  return startEmbeddedPostgres({ dataDir: stage.world.service.dataDir });
}

/** Creates a merchant with funded live wallets, three approvers and one member who decides exceptions. */
export async function makeParty(stage: Stage, name: string, currencies: readonly string[]): Promise<Party> {
  const { createMerchant } = await load<typeof merchants>(stage.release, "e2e/support/merchant.ts");
  const merchant = await createMerchant(stage.world.service, { name, currencies });
  const finance = `finance@${name}.example`;
  const approvers = ["eva", "ana", "leo"].map((one) => `${one}@${name}.example`);
  for (const [email, roles] of [[finance, "finance"], ...approvers.map((one) => [one, "owner,approver"])]) {
    const person = ["--email", email ?? "", "--roles", roles ?? ""];
    await stage.cli("members", "create", "--merchant", merchant.id, ...person);
  }
  for (const currency of currencies) {
    const wallet = ["--environment", "live", "--currency", currency, "--amount", "100000000"];
    await stage.cli("wallets", "fund", "--merchant", merchant.id, ...wallet);
  }
  const [test, live] = [stage.world.apiFor(merchant.keys.test), stage.world.apiFor(merchant.keys.live)];
  return { merchant, test, live, finance, approvers };
}

let references = 0;

/** Posts a creation with a reference of its own, and returns the intent. */
async function create(api: Api, path: string, body: Body): Promise<Intent> {
  references += 1;
  const reference = `upgrade-${references}`;
  const headers = { "idempotency-key": `key-${references}` };
  const answer = await api.post(path, { merchant_reference: reference, ...body }, { headers });
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body as Intent;
}

/** Creates 10.50 BRL by Pix, with changes. */
export const createPayment = (api: Api, changes: Body = {}) =>
  create(api, "/payment_intents", {
    amount: "1050",
    currency: "BRL",
    country: "BR",
    payment_method: "BR_PIX",
    ...changes,
  });

/** Creates 25.00 BRL to a bank account, with changes. */
export const createPayout = (api: Api, changes: Body = {}) =>
  create(api, "/payout_intents", {
    amount: "2500",
    currency: "BRL",
    country: "BR",
    recipient: { type: "bank_account", account_number: "0001-2345 67890", bank_code: "001", holder_name: "Ana Souza" },
    ...changes,
  });

/** Creates a top-up of 100.00 BRL, or another amount, bought with USDT. */
export const createTopup = (api: Api, amount = "10000") =>
  create(api, "/topup_intents", {
    destination: { amount, currency: "BRL" },
    source: { type: "provider_gateway", currency: "USDT", network: "tron" },
    country: "BR",
  });

/** Waits until a condition holds; throws after a minute. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await holds()); await sleep(100)) {
    if (Date.now() > end) throw new Error(`still not so after a minute: ${what}`);
  }
}

/** Waits until an intent has a status. */
export async function untilStatus(api: Api, id: string, status: string): Promise<void> {
  await until(`${id} is ${status}`, async () => {
    const { body } = await api.get(pathOf(id));
    return (body as Intent).status === status;
  });
}

/** Has the test environment's simulator report an outcome. */
export async function simulate(api: Api, id: string, outcome: string): Promise<void> {
  const answer = await api.post("/sandbox/simulate", { id, outcome });
  if (answer.status !== 200) throw new Error(`simulating ${outcome} of ${id}: ${answer.text}`);
}

/** Approves a payout as members of its merchant. */
export async function approve(stage: Stage, id: string, ...members: readonly string[]): Promise<void> {
  for (const member of members) await stage.cli("payouts", "approve", "--id", id, "--as", member);
}

/** Sends a callback and waits until the worker has finished with it. */
export async function report(stage: Stage, psp: Psp, reference: string, changes: Body): Promise<void> {
  references += 1;
  const callback = `cb_upgrade_${references}`;
  await psp.sendCallback({ reference, changes, callback_id: callback });
  await until(`${callback} is applied`, async () => {
    const sql = "SELECT 1 FROM provider_callback WHERE callback_id = $1 AND applied_at IS NOT NULL";
    return (await stage.world.database.query(sql, callback)).length > 0;
  });
}

/** Decides what happens to the money of an intent's only open exception. */
export async function settle(stage: Stage, party: Party, intentId: string, money: string): Promise<void> {
  const [exception] = await stage.world.database.query<{ id: string }>(
    "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL",
    intentId,
  );
  const decision = ["--id", exception?.id ?? "none", "--as", party.finance, "--money", money];
  await stage.cli("exceptions", "settle", ...decision);
}

/** Moves the end of an intent's window into the past. */
export async function endWindow(stage: Stage, table: "payment_intent" | "topup_intent", id: string): Promise<void> {
  await stage.world.database.query(
    `UPDATE ${table} SET expires_at = now() - interval '1 second', due_at = now() WHERE id = $1 AND due_at IS NOT NULL`,
    id,
  );
}
