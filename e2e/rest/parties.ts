// The parties of the REST specs on the shared service: a merchant of each test, another merchant, a visitor, an
// approver.
import { type Api, basicAuthorization } from "../support/api";
import { test as base, expect } from "../support/fixtures";
import { type ApiKey, createMerchant, type Merchant } from "../support/merchant";
import type { OpenApiDocument } from "../support/openapi";
import { command } from "../support/operator";
import { type Database, openDatabaseOf } from "./database";
import { type Approve, approverOf } from "./world";

interface WorkerParties {
  /** The shared service's database. */
  readonly database: Database;
  /** The OpenAPI document that the service serves. */
  readonly document: OpenApiDocument;
}

interface Parties {
  /** Another merchant of this test alone, for everything that must not be visible across merchants. */
  readonly stranger: Merchant;
  readonly strangerApi: Api;
  /** Approves payouts of the test's merchant, whose clients `api` and `liveApi` are here. */
  readonly approve: Approve;
  /** A client without credentials. */
  readonly anonymous: Api;
  /** A client that sends this Authorization header, or none. */
  readonly withAuthorization: (header: string | null) => Api;
  /** Runs an operator's command on the shared service. */
  readonly command: (...words: readonly string[]) => Promise<unknown>;
}

export const test = base.extend<Parties, WorkerParties>({
  database: [
    async ({ service }, use) => {
      const database = await openDatabaseOf(service);
      await use(database);
      await database.close();
    },
    { scope: "worker" },
  ],
  document: [
    async ({ service }, use) => {
      const answer = await fetch(`${service.baseUrl}/openapi.json`);
      await use((await answer.json()) as OpenApiDocument);
    },
    { scope: "worker" },
  ],
  stranger: async ({ service }, use) => use(await createMerchant(service, { name: "Stranger" })),
  strangerApi: ({ apiFor, stranger }, use) => use(apiFor(stranger.keys.test)),
  api: ({ apiFor, ownMerchant }, use) => use(apiFor(ownMerchant.keys.test)),
  liveApi: ({ apiFor, ownMerchant }, use) => use(apiFor(ownMerchant.keys.live)),
  approve: async ({ service, ownMerchant }, use) => use(await approverOf(service, ownMerchant.id)),
  anonymous: ({ apiFor }, use) => use(apiFor(null)),
  withAuthorization: ({ anonymous }, use) => use((header) => withHeader(anonymous, header)),
  command: ({ service }, use) => use((...words) => command(service, ...words)),
});

function withHeader(api: Api, authorization: string | null): Api {
  const added = authorization === null ? {} : { authorization };
  return {
    send: (call) => api.send({ ...call, headers: { ...added, ...call.headers } }),
    get: (path, options = {}) => api.get(path, { headers: { ...added, ...options.headers } }),
    post: (path, body, options = {}) => api.post(path, body, { headers: { ...added, ...options.headers } }),
  };
}

/** The Authorization header of a pair of keys, valid or not. */
export function basic(key: ApiKey): string {
  return basicAuthorization(key);
}

export { expect };
