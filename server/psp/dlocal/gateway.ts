// The adapter for dLocal: payments on dLocal's page, in Latin America and India (docs/providers/dlocal.md).
import { createAccountGuard } from "../account-guard";
import { offersOf } from "../config/keyed-account";
import type { Gateway } from "../gateway";
import { listMethods } from "./account";
import { createDlocalClient } from "./client";
import type { DlocalConfig } from "./config";
import type { DlocalContext } from "./context";
import { countryOfProof } from "./inspection";
import { createPayment, queryPayment } from "./payments";
import { usableRows } from "./rows";

const NOT_OFFERED = {
  kind: "never_accepted",
  detail: "not sent: the adapter for dLocal only collects payments",
} as const;

/** Returns the adapter of one configured account. */
export function createDlocalGateway(config: DlocalConfig): Gateway {
  const { name, account, url } = config;
  const client = createDlocalClient(config);
  const country = countryOfProof(config);
  const rows = usableRows(config);
  // A list that dLocal answers proves the X-Login that signed the call, and that is the account.
  const guard = createAccountGuard(account, async (signal) =>
    "kind" in (await listMethods(client, country, signal)) ? null : account,
  );
  const context: DlocalContext = { client, guard, rows, allowHttp: url.startsWith("http:") };
  return {
    name,
    account,
    requiredCustomerFields: () => ["name", "email", "document"],
    ...offersOf(config, rows, {}),
    quoteTopup: async () => null,
    createPayment: (request, signal) => createPayment(context, request, signal),
    queryPayment: (request, signal, at) => queryPayment(context, request, signal, at),
    createPayout: async () => NOT_OFFERED,
    queryPayout: async () => [NOT_OFFERED],
    createTopup: async () => NOT_OFFERED,
    queryTopup: async () => [NOT_OFFERED],
  };
}
