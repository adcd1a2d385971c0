// A spec's own service with the fake external provider, and a merchant with live money.
import type { Api } from "../support/api";
import { type FakePsp, startFakePsp } from "../support/fake-psp/start";
import type { Merchant } from "../support/merchant";
import { type DatabaseVariables, startService } from "../support/service";
import { referenceOf } from "./database";
import { type Approve, openWorld, type World } from "./world";

export interface Bridge {
  readonly psp: FakePsp;
  readonly world: World;
  readonly merchant: Merchant;
  /** The merchant's client in the live environment, whose wallets hold a million of BRL and MXN each. */
  readonly live: Api;
  readonly approve: Approve;
  /** The reference under which the provider knows an intent. */
  referenceOf(id: string): Promise<string>;
  /** How often the provider accepted an intent. */
  acceptancesOf(id: string): Promise<number>;
  /** How often the provider really moved money for an intent. */
  executionsOf(id: string): Promise<number>;
  /** How often the provider was called to create an intent; each call names it as the idempotency key. */
  sendsOf(id: string): Promise<number>;
  /** How often the provider was called to create anything. */
  sends(): Promise<number>;
  close(): Promise<void>;
}

interface BridgeOptions {
  /** The service's configuration besides its provider. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes of the provider's configuration, which offers everything by default. */
  readonly config?: object;
  /** A database of the spec's own. */
  readonly database?: DatabaseVariables;
}

const CURRENCIES = ["BRL", "MXN"];

/** Starts provider and service and creates the merchant; takes a few seconds. */
export async function openBridge({ env = {}, config = {}, database }: BridgeOptions = {}): Promise<Bridge> {
  const psp = await startFakePsp();
  const world = await openWorld(
    await startService({
      env: { PROVIDERS: JSON.stringify([psp.config(config)]), ...env },
      ...(database && { database }),
    }),
  );
  await psp.callbacksTo(world.service.baseUrl);
  const merchant = await world.newMerchant();
  const wallet = ["--merchant", merchant.id, "--environment", "live", "--amount", "100000000"];
  const [approve] = await Promise.all([
    world.approver(merchant.id),
    ...CURRENCIES.map((currency) => world.cli("wallets", "fund", "--currency", currency, ...wallet)),
  ]);
  const nameOf = (id: string) => referenceOf(world.database, id);
  const lines = async (id: string, event: string) => {
    const reference = await nameOf(id);
    return (await psp.record()).filter((line) => line.reference === reference && line.event === event).length;
  };
  const creations = async () => (await psp.calls()).filter(({ method }) => method === "POST");
  return {
    psp,
    world,
    merchant,
    live: world.apiFor(merchant.keys.live),
    approve,
    referenceOf: nameOf,
    acceptancesOf: (id) => lines(id, "accepted"),
    executionsOf: (id) => lines(id, "executed"),
    sendsOf: async (id) => {
      const reference = await nameOf(id);
      return (await creations()).filter(({ idempotency_key }) => idempotency_key === reference).length;
    },
    sends: async () => (await creations()).length,
    async close() {
      await world.close();
      await psp.stop();
    },
  };
}
