// Each filter alone, over few and many payments: the first page, and the page after 1,000 pages.
import type { Bench, Section } from "../bench";
import { overHttp, service } from "../contestants";
import { deepPage, FILTERED, firstPage } from "../names";
import type { Contestant } from "../rounds";
import type { Party, Stage } from "../stage";
import { walkToDeepCursor } from "../subject";

const PATH = "/v1/payment_intents";
const CONNECTIONS = [8];

/** The seeds contain 20 payments in Mexico, the oldest ones, and one failed payment in ten. */
const FILTERS: readonly (readonly [name: string, query: string])[] = [
  ["nothing", ""],
  ["status", "status=failed"],
  ["two statuses", "status=failed,succeeded"],
  ["currency, common", "currency=BRL"],
  ["currency, rare", "currency=MXN"],
  ["country, rare", "country=MX"],
  ["merchant_reference", "merchant_reference=seed-5000"],
  ["created_after", "created_after=2000-01-01T00:00:00Z"],
  ["created_before", `created_before=${new Date(Date.now() - 3_600_000).toISOString()}`],
];

function listing(stage: Stage, name: string, { authorization }: Party, query: string): Contestant {
  const path = `${PATH}?${query}`;
  return overHttp({ ...service(stage), name, authorization, next: () => ({ method: "GET", path }) });
}

async function measureFilters({ stage, options, measure, note }: Bench): Promise<void> {
  const [few, many] = options.listRows;
  const small = await stage.addParty("Bench few");
  const large = await stage.addParty("Bench many");
  await stage.seed(small, few);
  const from = performance.now();
  await stage.seed(large, many);
  const unit = "s";
  note({ name: `loading ${many.toLocaleString("en")} payments`, value: (performance.now() - from) / 1_000, unit });
  for (const [name, query] of FILTERS) {
    const url = `${stage.service.baseUrl}${PATH}?${query}`;
    const cursor = await walkToDeepCursor(url, large.authorization);
    const contestants = [
      listing(stage, firstPage(few), small, query),
      listing(stage, firstPage(many), large, query),
      ...(cursor ? [listing(stage, deepPage(many), large, `${query}&cursor=${cursor}`)] : []),
    ];
    await measure({ name: `${FILTERED}${name}`, connections: CONNECTIONS, contestants }, options.filterSettings);
  }
}

export const filterSection: Section = { name: "filter", run: measureFilters };
