// Owns what a spec can ask for: the shared service, a merchant with keys, clients, and services of its own.
import { test as base, expect } from "@playwright/test";
import { type Api, createApi, fetchValidator } from "./api";
import { type ApiKey, createMerchant, type Merchant } from "./merchant";
import type { AnswerValidator } from "./openapi";
import { type Service, type ServiceAddress, type ServiceOptions, startService } from "./service";
import { sharedService } from "./shared-service";

export interface WorkerFixtures {
  /** The service that all specs of the run share; nobody stops it. */
  readonly service: ServiceAddress;
  /** Throws about an answer that the service's OpenAPI document does not describe. */
  readonly validateAnswer: AnswerValidator;
  /** A merchant of this worker, shared by the spec files it runs; its currencies are BRL, MXN and USDT. */
  readonly merchant: Merchant;
}

export interface Fixtures {
  /** A client of the shared service that presents a key, or none. */
  readonly apiFor: (key: ApiKey | null) => Api;
  /** The merchant's client in the test environment. */
  readonly api: Api;
  /** The merchant's client in the live environment. */
  readonly liveApi: Api;
  /** Starts a service for this test alone, which ends with it. */
  readonly startOwnService: (options?: ServiceOptions) => Promise<Service>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  service: [({}, use) => use(sharedService()), { scope: "worker" }],
  validateAnswer: [async ({ service }, use) => use(await fetchValidator(service.baseUrl)), { scope: "worker" }],
  merchant: [async ({ service }, use) => use(await createMerchant(service)), { scope: "worker" }],
  baseURL: ({ service }, use) => use(service.baseUrl),
  apiFor: ({ service, validateAnswer }, use) => use((key) => createApi(service.baseUrl, key, validateAnswer)),
  api: ({ apiFor, merchant }, use) => use(apiFor(merchant.keys.test)),
  liveApi: ({ apiFor, merchant }, use) => use(apiFor(merchant.keys.live)),
  startOwnService: async ({}, use) => {
    const started: Service[] = [];
    await use(async (options) => {
      const service = await startService(options);
      started.push(service);
      return service;
    });
    for (const service of started) await service.dispose();
  },
});

export { expect };
