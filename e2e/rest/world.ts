// What specs need around one service, shared or their own: clients, merchants, approvers and the database.
import { type Api, createApi, fetchValidator } from "../support/api";
import { type ApiKey, CURRENCIES, createMerchant, type Merchant } from "../support/merchant";
import { command, type OperatedService, type Operator, startOperator } from "../support/operator";
import type { Service, ServiceAddress } from "../support/service";
import { unused } from "./bodies";
import { type Database, openDatabase } from "./database";

/** Approves a payout as the member; throws if that is rejected. */
export type Approve = (payoutId: string) => Promise<void>;

/** Creates a member who may approve the merchant's payouts, and returns the approving function. */
export async function approverOf(service: ServiceAddress | OperatedService, merchantId: string): Promise<Approve> {
  const email = `${unused("approver")}@example.com`;
  const person = ["--email", email, "--roles", "approver"];
  await command(service, "members", "create", "--merchant", merchantId, ...person);
  return async (payoutId) => void (await command(service, "payouts", "approve", "--id", payoutId, "--as", email));
}

/** A merchant with a million in each of its live wallets. */
export interface LiveParty {
  readonly merchant: Merchant;
  /** Its client in the live environment. */
  readonly live: Api;
  readonly approve: Approve;
}

/** A spec's own service with everything around it. */
export interface World {
  readonly service: Service;
  readonly database: Database;
  apiFor(key: ApiKey | null): Api;
  newMerchant(): Promise<Merchant>;
  /** Creates a merchant with live money in these currencies. */
  liveParty(...currencies: readonly string[]): Promise<LiveParty>;
  cli(...words: readonly string[]): Promise<unknown>;
  approver(merchantId: string): Promise<Approve>;
  /** Connects spec and operator to the database again after a restart of the service. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the world of a service that a spec has started. */
export async function openWorld(service: Service): Promise<World> {
  const validate = await fetchValidator(service.baseUrl);
  const connect = () => openDatabase(service.dataDir, service.database?.DATABASE_URL);
  let database = await connect();
  let started: Promise<Operator> | null = null;
  const operator: Operator = {
    run: async (...words) => (await (started ??= startOperator(service))).run(...words),
    async close() {
      const former = await started;
      started = null;
      await former?.close();
    },
  };
  const disconnect = () => Promise.all([database.close(), operator.close()]);
  const operated: OperatedService = { baseUrl: service.baseUrl, dataDir: service.dataDir, operator };
  const apiFor = (key: ApiKey | null) => createApi(service.baseUrl, key, validate);
  return {
    service,
    get database() {
      return database;
    },
    apiFor,
    newMerchant: () => createMerchant(operated),
    async liveParty(...currencies) {
      const merchant = await createMerchant(operated, { currencies: [...new Set([...CURRENCIES, ...currencies])] });
      const wallet = ["--merchant", merchant.id, "--environment", "live", "--amount", "100000000"];
      const [approve] = await Promise.all([
        approverOf(operated, merchant.id),
        ...currencies.map((currency) => command(operated, "wallets", "fund", "--currency", currency, ...wallet)),
      ]);
      return { merchant, live: apiFor(merchant.keys.live), approve };
    },
    cli: (...words) => command(operated, ...words),
    approver: (merchantId) => approverOf(operated, merchantId),
    async reconnect() {
      await disconnect();
      database = await connect();
    },
    async close() {
      await disconnect();
      await service.dispose();
    },
  };
}
