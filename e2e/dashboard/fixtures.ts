// The fixtures of dashboard specs: a merchant per test, its members, and browsers that are signed in.
import type { BrowserContext, Page } from "@playwright/test";
import type { Api } from "../support/api";
import { test as base, expect } from "../support/fixtures";
import { createMember, type Person, signInTo } from "./members";

interface DashboardFixtures {
  /** The client of the test's merchant in the test environment. */
  readonly ownApi: Api;
  /** Creates a member of the test's merchant with these roles. */
  readonly newMember: (roles: string) => Promise<Person>;
  /** Creates a member with these roles, and opens a page of the dashboard signed in as this member. */
  readonly openAs: (roles: string, path: string) => Promise<Person>;
  /** Opens a page of the dashboard in another browser, signed in. The browser is closed with the test. */
  readonly otherBrowser: (person: Person, path: string) => Promise<Page>;
}

export const test = base.extend<DashboardFixtures>({
  ownApi: ({ apiFor, ownMerchant }, use) => use(apiFor(ownMerchant.keys.test)),
  newMember: ({ service, ownMerchant }, use) => use((roles) => createMember(service, ownMerchant, roles)),
  openAs: ({ page, newMember }, use) =>
    use(async (roles, path) => {
      const person = await newMember(roles);
      await signInTo(page, person, path);
      return person;
    }),
  otherBrowser: async ({ browser, service }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (person, path) => {
      const context = await browser.newContext({ baseURL: service.baseUrl });
      contexts.push(context);
      const page = await context.newPage();
      await signInTo(page, person, path);
      return page;
    });
    for (const context of contexts) await context.close();
  },
});

export { expect };
