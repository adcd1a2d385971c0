// Checks the configuration of an account, by calls that change nothing.
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { offersOf } from "../config/keyed-account";
import type { ProviderFinding, ProviderInspection } from "../gateway";
import { shownStatus } from "../http/reports";
import { type DlocalMethod, listMethods } from "./account";
import { createDlocalClient, type DlocalAnswer, describe, isKeyRefusal } from "./client";
import type { DlocalConfig } from "./config";
import { type UsableRows, usableRows } from "./rows";

/** Whether a key is accepted can be asked about any country. */
const ANY_COUNTRY = "BR";

/** The methods that an entry offers, by country. */
function offeredBy(config: DlocalConfig): ReadonlyMap<string, readonly string[]> {
  const { offersPayment } = offersOf(config, usableRows(config), {});
  const [environment = "live"] = config.environments;
  const offered = PAYMENT_METHODS.filter((method) => offersPayment(method, environment));
  return new Map(
    [...new Set(offered.map(({ country }) => country))].map((country) => [
      country,
      offered.filter((method) => method.country === country).map(({ code }) => code),
    ]),
  );
}

/** The country about which the proof of the keys is asked: one that the account should have. */
export function countryOfProof(config: DlocalConfig): string {
  return [...offeredBy(config).keys()][0] ?? ANY_COUNTRY;
}

/** Returns the check of one configured account: its keys, and whether it has the methods that the entry offers. */
export function createDlocalInspection(config: DlocalConfig): ProviderInspection {
  const client = createDlocalClient(config);
  const offered = offeredBy(config);
  const rows = usableRows(config);
  const countries = offered.size === 0 ? [ANY_COUNTRY] : [...offered.keys()];
  return async (signal) => {
    const lists = await Promise.all(
      countries.map(async (country) => [country, await listMethods(client, country, signal)] as const),
    );
    const refused = lists.find(([, list]) => "kind" in list && isKeyRefusal(list));
    if (refused) return [{ level: "fault", text: "dLocal rejects account, trans_key or secret_key, or this address" }];
    const findings = lists.flatMap(([country, list]) => findingsOf(rows, country, list, offered.get(country) ?? []));
    const isProven = lists.some(([, list]) => !("kind" in list));
    return isProven
      ? [{ level: "ok", text: `dLocal accepts the keys of account ${config.account}` }, ...findings]
      : findings;
  };
}

function findingsOf(
  rows: UsableRows,
  country: string,
  list: readonly DlocalMethod[] | DlocalAnswer,
  codes: readonly string[],
): ProviderFinding[] {
  if ("kind" in list) {
    return [{ level: "warning", text: `the methods of ${country} were not checked: ${describe(list)}` }];
  }
  const redirects = list.filter(({ allowed_flows }) => allowed_flows.includes("REDIRECT"));
  const shown = redirects.map(({ id, name }) => shownStatus(name === id ? id : `${id} ${name}`)).join(", ") || "none";
  return codes.flatMap((code): ProviderFinding[] => {
    const id = rows[code]?.id;
    if (redirects.some((method) => method.id === id)) return [];
    return [
      {
        level: "warning",
        text: `the account does not have ${code} (${id}) by redirect; in ${country} it has ${shown}`,
      },
    ];
  });
}
