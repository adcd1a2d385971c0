// The fixtures of specs: the shared service, a merchant with keys, clients, and services of their own.
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import { type Api, createApi, fetchValidator } from "./api";
import { type ApiKey, createMerchant, type Merchant } from "./merchant";
import { startNextHost } from "./next-service";
import type { AnswerValidator } from "./openapi";
import { type OperatedService, type Operator, startOperator } from "./operator";
import { CONTRACT, OVERLAPPING, type Recording, startRecording, storeAnswers, storedAnswers } from "./recorded-answers";
import { SERVICE_DEFAULTS, type Service, type ServiceOptions, startService } from "./service";
import { sharedService } from "./shared-service";
import { startBrowser } from "./start-browser";

/** Options of a Playwright project. */
export interface HostOptions {
  /** `direct`: the service as `npm start` runs it. `next`: `next start` beside it, whose answers must be the same. */
  readonly host: "direct" | "next";
}

export interface WorkerFixtures {
  /** Runs the operator's commands on the shared service in one process of this worker. */
  readonly operator: Operator;
  /** The service that all specs of the run share, served by the project's host. No spec stops it. */
  readonly service: OperatedService;
  /** Throws for an answer that the service's OpenAPI document does not describe. */
  readonly validateAnswer: AnswerValidator;
  /** A merchant of this worker, shared by the spec files it runs; its currencies are BRL, MXN and USDT. */
  readonly merchant: Merchant;
}

export interface Fixtures {
  /** A merchant of this test alone; its currencies are BRL, MXN and USDT. */
  readonly ownMerchant: Merchant;
  /** A client of the shared service that presents a key, or none. */
  readonly apiFor: (key: ApiKey | null) => Api;
  /** The merchant's client in the test environment. */
  readonly api: Api;
  /** The merchant's client in the live environment. */
  readonly liveApi: Api;
  /** Records the answers to this test's calls through `apiFor`; those of the contract are stored or compared. */
  readonly answers: Recording;
  /** Starts a service for this test alone and stops it with the test. */
  readonly startOwnService: (options?: ServiceOptions) => Promise<Service>;
}

export const test = base.extend<Fixtures, WorkerFixtures & HostOptions>({
  host: ["direct", { option: true, scope: "worker" }],
  browser: [
    async ({ playwright, browserName }, use) => {
      const browser = await startBrowser(() => playwright[browserName].launch());
      await use(browser);
      await browser.close();
    },
    { scope: "worker", timeout: 0 },
  ],
  operator: [
    async ({}, use) => {
      const operator = await startOperator(sharedService());
      await use(operator);
      await operator.close();
    },
    { scope: "worker" },
  ],
  service: [
    async ({ host, operator }, use) => {
      if (host === "direct") return use({ ...sharedService(), operator });
      const next = await startNextHost(sharedService(), SERVICE_DEFAULTS);
      await use({ ...next, operator });
      await next.stop();
    },
    { scope: "worker" },
  ],
  validateAnswer: [async ({ service }, use) => use(await fetchValidator(service.baseUrl)), { scope: "worker" }],
  merchant: [async ({ service }, use) => use(await createMerchant(service)), { scope: "worker" }],
  baseURL: ({ service }, use) => use(service.baseUrl),
  answers: async ({ host }, use, { titlePath, file, tags }) => {
    const answers = startRecording();
    await use(answers);
    if (!CONTRACT.test(file) || tags.includes(OVERLAPPING)) return;
    const title = titlePath.join(" › ");
    const folder = join(sharedService().dataDir, "answers");
    const lines = answers.lines();
    if (host === "direct") storeAnswers(folder, title, lines);
    else
      expect(lines, "the answers of next start, beside those of the direct host").toEqual(storedAnswers(folder, title));
  },
  apiFor: ({ service, validateAnswer, answers }, use) =>
    use((key) => createApi(service.baseUrl, key, validateAnswer, answers.begin)),
  ownMerchant: async ({ service }, use) => use(await createMerchant(service)),
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
