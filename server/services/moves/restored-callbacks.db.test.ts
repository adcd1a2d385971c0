// Callbacks that a provider has sent once, after a restore, and what docs/operating.md says about that restore.
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { inCell, inEachCell } from "@/server/platform/cell";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { settleStays } from "../cells/settle-stays";
import { prepareDispatch, resumeDispatch } from "../dispatch/control";
import { configureAcme, makeReportedPayment, passTenSeconds } from "./testing/reported-payment";
import { fenceIn } from "./testing/rows";
import { eu2, killedAt, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
configureAcme();

it("a callback that was handed over is applied where docs/operating.md opens its merchant again", async () => {
  const { merchantId, send, succeedsIn } = await makeReportedPayment();
  const before = await cells.backUp(eu2());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  await send();
  await succeedsIn(eu2());
  await cells.pointTo([null, before]);
  passTenSeconds();
  const text = await readFile("docs/operating.md", "utf8");
  const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  await sql(main(), block.replaceAll("mer_…", merchantId));
  expect(await fenceIn(main(), merchantId)).toBeNull();
  await succeedsIn(main());
});

it("a callback that came once, while the restored cell still had the merchant, is applied in the newer one", async () => {
  const { merchantId, send, statusIn, succeedsIn } = await makeReportedPayment();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await cells.pointTo([earlier]);
  // A provider sends a callback once if it is answered 200.
  await send();
  await inCell(main(), () => applyDueCallbacks(1_000, 30_000));
  expect(await statusIn(main())).toBe("succeeded");
  await inEachCell(settleStays);
  expect(await fenceIn(main(), merchantId)).toBe("left eu2");
  const dropped = await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "main");
  expect(dropped).toMatchObject({ cell: "eu2" });
  passTenSeconds();
  await succeedsIn(eu2());
});

it("a callback that came while no cell had its merchant waits for it", async () => {
  const { merchantId, send, succeedsIn } = await makeReportedPayment();
  const before = await cells.backUp(eu2());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const later = await cells.backUp(eu2());
  await cells.pointTo([null, before]);
  passTenSeconds();
  await send();
  await inEachCell(() => applyDueCallbacks(1_000, 30_000));
  // As docs/operating.md says.
  await cells.pointTo([null, later]);
  await succeedsIn(eu2());
});

it("a callback that a restored cell has lost is handed over to it again once its payouts go on", async () => {
  const { merchantId, send, statusIn, succeedsIn } = await makeReportedPayment();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await inCell(eu2(), prepareDispatch);
  const earlier = await cells.backUp(eu2());
  await send();
  await succeedsIn(eu2());
  await cells.pointTo([null, earlier]);
  passTenSeconds();
  expect(await statusIn(eu2())).not.toBe("succeeded");
  await inCell(eu2(), () => resumeDispatch({ provider: null, merchantId: null, currency: null }, "Reconciled."));
  await succeedsIn(eu2());
});
