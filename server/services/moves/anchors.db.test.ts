// `audit verify` with anchors from another cell than the one that has the merchant now.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { inEachCell } from "@/server/platform/cell";
import { linkAuditEntries } from "../audit/link-entries";
import { eu2, main, makePaid, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-anchors-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Cuts off the end of the merchant's chain in the first cell: entries of events, to which no row belongs. */
const cutChain = (merchantId: string) =>
  sql(
    main(),
    `BEGIN; SET LOCAL session_replication_role = replica;
     CREATE TEMP TABLE cut AS SELECT * FROM audit_link WHERE merchant_id = '${merchantId}' AND sequence >= (
       SELECT min(l.sequence) FROM audit_link l JOIN audit_entry e ON (e.merchant_id, e.id) = (l.merchant_id, l.entry_id)
       WHERE l.merchant_id = '${merchantId}' AND e.action = 'merchant.move_end');
     DELETE FROM audit_link WHERE merchant_id = '${merchantId}' AND entry_id IN (SELECT entry_id FROM cut);
     DELETE FROM audit_entry WHERE merchant_id = '${merchantId}' AND id IN (SELECT entry_id FROM cut);
     UPDATE audit_chain SET (last_sequence, last_hash) = (
       SELECT sequence, hash FROM audit_link WHERE merchant_id = '${merchantId}' ORDER BY sequence DESC LIMIT 1)
     WHERE merchant_id = '${merchantId}'; COMMIT`,
  );

it("finds that the end of the chain is missing while the cell that the merchant was in is away", async () => {
  const merchantId = await makePaid();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await inEachCell(linkAuditEntries);
  const anchors = join(folder, "all.json");
  await writeFile(anchors, JSON.stringify(await runCommand("audit", "verify")));
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await inEachCell(linkAuditEntries);
  const ofMerchant = ["audit", "verify", "--merchant", merchantId];
  expect(await runCommand(...ofMerchant, "--anchors", anchors)).toMatchObject({ broken: 0 });
  await cutChain(merchantId);
  expect(await runCommand(...ofMerchant)).toMatchObject({ broken: 0 });
  await cells.pointTo([null, "postgresql://nobody:x@127.0.0.1:1/none"]);
  expect(await runCommand(...ofMerchant, "--anchors", anchors)).toMatchObject({ broken: 1 });
  const all = await runCommand("audit", "verify", "--anchors", anchors);
  expect(all).toMatchObject({ failed_cells: [{ cell: "eu2" }] });
  expect(all["cells"]).toContainEqual(expect.objectContaining({ cell: "main", broken: 1 }));
});
