// A process of the bench: runs one task of the search and prints its result.
import { median } from "@/e2e/support/statistics";
import { disconnect } from "@/server/db/client";
import { logWarningsOnly, provideRuntime } from "@/server/platform/env";
import { acrossMerchants, withinMerchant } from "@/server/platform/reach";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { fillSearch } from "@/server/services/search/fill";
import { search } from "@/server/services/search/find";
import type { FollowCost, FollowTask, SearchTask, SearchTimes } from "./task";

async function timeSearches({ merchantIds, texts, times }: SearchTask): Promise<SearchTimes> {
  const results: Record<string, { ms: number; found: number }[]> = {};
  for (const [name, text] of Object.entries(texts)) {
    const taken = merchantIds.map((): number[] => []);
    const found = merchantIds.map(() => 0);
    for (let time = 0; time < times; time += 1) {
      for (const [n, merchantId] of merchantIds.entries()) {
        const from = performance.now();
        const { payments } = await withinMerchant(merchantId, () => search({ merchantId, environment: "test" }, text));
        taken[n]?.push(performance.now() - from);
        found[n] = payments.rows.length;
      }
    }
    results[name] = merchantIds.map((_, n) => ({ ms: median(taken[n] ?? []), found: found[n] ?? 0 }));
  }
  return results;
}

async function follow({ kind }: FollowTask): Promise<FollowCost> {
  const isLeft =
    kind === "link" ? async () => (await linkAuditEntries()).entries > 0 : async () => (await fillSearch()) > 0;
  const before = process.cpuUsage();
  while (await acrossMerchants(isLeft));
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6 };
}

logWarningsOnly();
const task = JSON.parse(process.argv[2] ?? "{}") as SearchTask | FollowTask;
provideRuntime(task);
const result = task.kind === "search" ? await timeSearches(task) : await follow(task);
await disconnect();
process.stdout.write(JSON.stringify(result));
