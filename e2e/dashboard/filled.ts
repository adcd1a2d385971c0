// A merchant with content on every page, for specs that visit all of them.
import { createApi } from "../support/api";
import { createMerchant, type Merchant } from "../support/merchant";
import { test as base } from "./fixtures";
import { createMember, type Person } from "./members";
import { type FilledIds, fillPages } from "./pages";

export interface Filled {
  readonly merchant: Merchant;
  readonly ids: FilledIds;
  readonly owner: Person;
  readonly approver: Person;
  readonly colleague: Person;
}

/** `filled` belongs to the worker: no test may change what a page shows. */
export const test = base.extend<object, { filled: Filled }>({
  filled: [
    async ({ service, validateAnswer }, use) => {
      const merchant = await createMerchant(service);
      const owner = await createMember(service, merchant, "owner");
      const approver = await createMember(service, merchant, "approver,finance");
      const colleague = await createMember(service, merchant, "finance");
      const ids = await fillPages(createApi(service.baseUrl, merchant.keys.test, validateAnswer));
      await use({ merchant, ids, owner, approver, colleague });
    },
    { scope: "worker" },
  ],
});
