// A prepared transaction has no session, may be committed at any time, and its locks end when it begins. No move can wait for one.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type PostgresServer, startPostgres } from "@/e2e/support/postgres/server";
import { freePort } from "@/e2e/support/service";
import { runCommand } from "@/server/cli/testing/run-command";
import { claimCell } from "@/server/db/cell-identity";
import { disconnect, query, whilePreparing } from "@/server/db/client";
import { migrate } from "@/server/db/migrate";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "@/server/db/testing/second-cell";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { rowsOf } from "./testing/rows";

vi.setConfig({ hookTimeout: 120_000 });

let cells: TwoCells;
let server: PostgresServer;
let folder: string;

const eu2 = () => allCells()[1] as Cell;

beforeAll(async () => {
  reachEveryMerchant();
  folder = await mkdtemp(join(tmpdir(), "sluice-prepared-"));
  cells = await openTwoCells();
  server = await startPostgres(folder, await freePort(), {}, ["fsync=off", "max_prepared_transactions=1"]);
  await migrate(server.url);
  const [installation] = await inCell(cells.first, () =>
    query<{ id: string }>("SELECT cells_id AS id FROM installation"),
  );
  await disconnect();
  configureCells([{ ...SECOND_CELL, url: server.url }]);
  await inCell(eu2(), () => whilePreparing(() => claimCell(installation?.id ?? "")));
});
afterAll(async () => {
  await disconnect();
  await cells.end();
  await server.stop("immediate");
  await rm(folder, { recursive: true, force: true });
});

it("a move is refused where somebody may prepare transactions", async () => {
  const { merchantId } = await inCell(cells.first, makeLiveMerchant);
  const answer = await runCommand("merchants", "move", "--merchant", merchantId, "--to", "eu2", "--experimental");
  const message = expect.stringContaining("set max_prepared_transactions to 0");
  expect(answer).toMatchObject({ code: "validation_failed", message });
  expect(await rowsOf(eu2(), merchantId)).toEqual({});
});
