// Commands over all merchants say which ones they may have passed over.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { eu2, killedAt, makeOne, threeCells } from "./testing/three-cells";

threeCells();

it("accounts reindex names a merchant that moves", async () => {
  const merchantId = await makeOne();
  expect(JSON.stringify(await runCommand("accounts", "reindex"))).not.toContain(merchantId);
  await killedAt(/count\(\*\)::int AS count FROM api_key/, merchantId, eu2());
  expect(await runCommand("accounts", "reindex")).toMatchObject({
    cells: expect.arrayContaining([expect.objectContaining({ moving: [merchantId] })]) as object[],
  });
});
