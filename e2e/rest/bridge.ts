// A spec's own service with the fake external provider, and a merchant with live money.
import { type FakePsp, startFakePsp } from "../support/fake-psp/start";
import { type DatabaseVariables, startService } from "../support/service";
import { referenceOf } from "./database";
import { type LiveParty, openWorld, type World } from "./world";

/** The merchant has live money in BRL and MXN. */
export interface Bridge extends LiveParty {
  readonly psp: FakePsp;
  readonly world: World;
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
  const party = await world.liveParty("BRL", "MXN");
  const nameOf = (id: string) => referenceOf(world.database, id);
  const lines = async (id: string, event: string) => {
    const reference = await nameOf(id);
    return (await psp.record({ reference })).filter((line) => line.event === event).length;
  };
  const creations = async () => (await psp.calls()).filter(({ method }) => method === "POST");
  return {
    psp,
    world,
    ...party,
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
