// Plays histories against one running service with clients side by side.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { fetchValidator } from "../../support/api";
import { startService } from "../../support/service";
import { historiesOf } from "../world/arbitrary";
import { type History, KINDS, POLICIES } from "../world/history";
import { Bridge } from "./bridge";
import { PROVIDERS } from "./creation";
import { ServiceDatabase } from "./database";
import { makeParty, type Party } from "./merchant";
import { Session, type Tools } from "./session";

export interface ServiceRun {
  readonly seed: number;
  readonly histories: number;
  readonly clients: number;
}

export interface ServiceFailure {
  readonly history: History;
  readonly violations: readonly string[];
}

export interface ServiceResult {
  readonly histories: number;
  readonly failures: readonly ServiceFailure[];
  readonly faults: ReadonlyMap<string, number>;
}

const CURRENCIES = ["BRL", "MXN"] as const;
const METHODS = ["BR_PIX", "MX_CODI"] as const;

/** Provider one, of protocol version 1, gets what is in BRL; provider two what is in MXN. */
function configuration(bridge: Bridge) {
  const providers = PROVIDERS.map((provider, index) => {
    const currency = CURRENCIES[index];
    const cancel = provider.protocol === 2 ? { cancel: true } : {};
    return bridge.config(provider, {
      payment_methods: [METHODS[index]],
      payout_currencies: [currency],
      topups: [{ source: "USDT", destination: currency }],
      ...cancel,
    });
  });
  const routes = PROVIDERS.flatMap(({ name }, index) => {
    const route = { environment: "test", providers: [{ name }] };
    return [
      { kind: "payment", method: METHODS[index], ...route },
      ...["payout", "topup"].map((kind) => ({ kind, currency: CURRENCIES[index], ...route })),
    ];
  });
  return { PROVIDERS: JSON.stringify(providers), ROUTES: JSON.stringify(routes), PROVIDER_DEADLINE_MS: "1000" };
}

/** What of a history the running service can be shown: one provider per currency, the merchant's own terms. */
function fitted(history: History, { policies }: Party): History {
  return {
    ...history,
    ...policies,
    terms: "spread",
    approvals: 1,
    hasFallback: false,
    cancels: history.protocol === 2,
  };
}

async function playOne(history: History, party: Party, tools: Tools, faults: Map<string, number>): Promise<string[]> {
  try {
    const session = new Session(fitted(history, party), party, tools);
    await session.open();
    for (const step of session.history.steps) await session.take(step);
    await session.rest();
    return await session.judge(faults);
  } catch (error) {
    return [String(error)];
  }
}

/** Every combination of policies comes up as clients go round. */
function policiesOf(index: number) {
  const at = (offset: number) => POLICIES[(index + offset) % POLICIES.length] ?? "hold";
  return { overpayment: at(0), underpayment: at(Math.floor(index / 3)), latePayment: at(Math.floor(index / 2)) };
}

/** The service must have been built. Starts it, plays, and ends it. */
export async function playService({ seed, histories, clients }: ServiceRun): Promise<ServiceResult> {
  const bridge = new Bridge();
  await bridge.listen();
  const service = await startService({ env: configuration(bridge) });
  bridge.callbacksTo(service.baseUrl);
  const { url } = JSON.parse(readFileSync(join(service.dataDir, "postgres.json"), "utf8")) as { url: string };
  const database = new ServiceDatabase(url);
  try {
    const validate = await fetchValidator(service.baseUrl);
    const parties = await Promise.all(
      Array.from({ length: clients }, (_, index) => makeParty(service, validate, index, policiesOf(index))),
    );
    const each = Math.ceil(histories / KINDS.length);
    const random = KINDS.flatMap((kind) => fc.sample(historiesOf(kind), { numRuns: each, seed }));
    const queue = random.slice(0, histories);
    const { length } = queue;
    const failures: ServiceFailure[] = [];
    const faults = new Map<string, number>();
    const work = async (party: Party) => {
      for (let history = queue.shift(); history; history = queue.shift()) {
        const violations = await playOne(history, party, { bridge, database }, faults);
        if (violations.length > 0) failures.push({ history, violations });
      }
    };
    await Promise.all(parties.map(work));
    const unplanned = bridge.faults.map((fault) => `the bridge could not answer: ${fault}`);
    return { histories: length, failures: [...failures, ...withoutHistory(unplanned, random)], faults };
  } finally {
    await database.close();
    await service.dispose();
    bridge.close();
  }
}

function withoutHistory(violations: readonly string[], [history]: readonly History[]): ServiceFailure[] {
  return violations.length > 0 && history ? [{ history, violations }] : [];
}
