// An old secret that only a merchant in a cell which this process does not know still needs.
import { afterEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { inCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { createKeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { keyed, makeMerchant, once, payout } from "@/server/testing/merchant";

import { createPayoutIntent } from "../payouts/create";
import { eu3, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
afterEach(() => vi.unstubAllGlobals());

it.each([
  ["one of the cells", () => configureCells([{ ...SECOND_CELL, url: cells.own[1] }])],
  ["no further cell", () => configureCells(null)],
])("is not removable for a process that knows %s", async (_what, forget) => {
  const old = keyRing();
  const owner = await inCell(main(), () => makeMerchant());
  await inCell(main(), () =>
    once(keyed(owner, "a-payout"), (idempotency) => createPayoutIntent(owner.context, payout(), idempotency)),
  );
  expect(await move(owner.merchantId, eu3())).toMatchObject({ phase: "done" });
  vi.stubGlobal("sluiceKeyRing", createKeyRing([Buffer.alloc(32, 7), ...env().secrets]));
  const { id } = old.current("account-encryption");
  // Hours later: this process is young, and the workers have noted people under the current key.
  await sql(
    main(),
    "BEGIN; SET LOCAL session_replication_role = replica; UPDATE merchant_move SET ended_at = ended_at - interval '1 day'; COMMIT",
  );
  await sql(main(), "DELETE FROM person_cell");
  const [needs] = await sql(
    eu3(),
    "SELECT count(*)::int AS n FROM payout_intent WHERE starts_with(account_sealed, $1)",
    `${id}.`,
  );
  expect(Number(needs?.["n"])).toBeGreaterThan(0);
  await disconnect();
  forget();
  const said = await runCommand("secrets", "rewrap");
  const documents = ("cells" in said ? said["cells"] : [said]) as {
    old_keys: { key_id: string; removable: boolean }[];
  }[];
  expect(documents.flatMap((one) => one.old_keys).filter((one) => one.removable)).toEqual([]);
});
