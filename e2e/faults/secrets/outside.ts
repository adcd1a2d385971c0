// What leaves the service: answers to its lists, exports, and the operator's documents.
import { request as playwrightRequest } from "@playwright/test";
import { createMember, requestSession } from "../../dashboard/members";
import type { Api } from "../../support/api";
import { cli, cliWith } from "../../support/cli";
import type { Merchant } from "../../support/merchant";
import type { Service } from "../../support/service";

/** Pages of 100 that are read of each list. */
const PAGES = 10;
const EXPORTS = ["payouts", "payments", "topups", "audit", "statement?currency=BRL&account=available"] as const;
const ENVIRONMENTS = ["test", "live"] as const;

/** Passes the text of every export that a member can download to `see`. Throws for one that is not given. */
export async function readExports(
  service: Service,
  merchant: Merchant,
  see: (text: string, name: string) => void,
): Promise<number> {
  const person = await createMember({ ...service, database: databaseOf(service) }, merchant, "owner");
  const browser = await playwrightRequest.newContext({ baseURL: service.baseUrl });
  try {
    await requestSession(browser, person);
    for (const environment of ENVIRONMENTS)
      for (const kind of EXPORTS) {
        const answer = await browser.get(`/api/export/${environment}/${kind}`);
        if (answer.status() !== 200) throw new Error(`the export of ${kind} was answered ${answer.status()}`);
        see(await answer.text(), kind);
      }
  } finally {
    await browser.dispose();
  }
  return EXPORTS.length * ENVIRONMENTS.length;
}

/** The database of a service whose secrets were rotated since its first start. */
function databaseOf({ variables, database }: Service): NonNullable<Service["database"]> {
  if (!database) throw new Error("the service has no database of its own");
  return { ...database, ...variables };
}

/** Returns a function that runs a command with the service's current secrets, and throws if it fails. */
export function commandsOf(service: Service): (...words: readonly string[]) => Promise<unknown> {
  return (...words) => cli({ ...service, database: databaseOf(service) }, ...words);
}

/** Passes the pages of the API's lists to `see`. */
export async function readLists(api: Api, see: (text: string, name: string) => void): Promise<void> {
  for (const path of ["/payout_intents", "/events", "/webhook_endpoints"]) {
    let cursor = "";
    for (let n = 0; n < PAGES; n += 1) {
      const words = [...(path === "/webhook_endpoints" ? [] : ["limit=100"]), ...(cursor ? [`cursor=${cursor}`] : [])];
      const answer = await api.get(`${path}?${words.join("&")}`);
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
      see(answer.text, path);
      cursor = encodeURIComponent((answer.body as { next_cursor?: string | null }).next_cursor ?? "");
      if (!cursor) break;
    }
  }
}

/** Passes the operator's documents about the merchant to `see`. */
export async function readDocuments(
  service: Service,
  merchantId: string,
  see: (text: string, name: string) => void,
): Promise<void> {
  for (const environment of ENVIRONMENTS)
    for (const noun of ["audit", "api-logs"]) {
      const words = [noun, "list", "--merchant", merchantId, "--environment", environment, "--limit", "1000"];
      see(JSON.stringify(await cliWith(service.variables, ...words)), noun);
    }
}
