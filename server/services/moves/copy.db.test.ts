// While a merchant is copied, the new cell's planner learns about its rows.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openPlainCells, type PlainCells } from "@/server/db/testing/plain-owners";
import { inCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { ROWS_AT_ONCE } from "./move";

vi.setConfig({ testTimeout: 120_000 });

let cells: PlainCells;
beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError();
  cells = await openPlainCells();
});
afterAll(async () => {
  await disconnect();
  await cells.end();
});

it("statistics of a table are renewed each time that its rows have become four times as many", async () => {
  const { first, second } = cells;
  const { merchantId } = await inCell(first, makeLiveMerchant);
  const keys = `INSERT INTO idempotency_key (merchant_id, api_key_id, key, fingerprint, holder, object_id, created_at, lease_until)
    SELECT $1, 'key', n::text, '', 'holder', 'object-' || n, now(), now() FROM generate_series(1, ${4 * ROWS_AT_ONCE}) AS n`;
  await asOwnerOf(first, (client) => client.query(keys, [merchantId]));
  await asOwnerOf(second, (client) => client.query("ALTER TABLE idempotency_key SET (autovacuum_enabled = off)"));
  expect(
    await runCommand("merchants", "move", "--merchant", merchantId, "--to", second.name, "--experimental"),
  ).toMatchObject({
    phase: "done",
  });
  const renewals = "SELECT analyze_count::int AS count FROM pg_stat_user_tables WHERE relname = 'idempotency_key'";
  const count = async () =>
    (await asOwnerOf(second, (client) => client.query<{ count: number }>(renewals))).rows[0]?.count;
  await vi.waitFor(async () => expect(await count()).toBe(2), 30_000);
});
