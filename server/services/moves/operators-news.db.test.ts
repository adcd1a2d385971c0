// The operator's news about a merchant that moves before the news was sent.
import { afterEach, beforeEach, expect, it } from "vitest";
import { openException } from "@/server/db/exceptions";
import { NOBODY } from "@/server/domain/exceptions";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { changeRoles } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { findNotifications } from "../notifications/find";
import { sendDueNotifications } from "../notifications/send";
import { AT_ONCE, makePerson, openStage, register, type Stage } from "../notifications/testing/stage";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const DAY_MS = 24 * 60 * 60_000;

threeCells();
let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  for (const cell of [main(), eu2()]) await sql(cell, "DELETE FROM notification_registration");
});
afterEach(() => stage.close());

const find = (cell: Cell) =>
  inCell(cell, async () => {
    while ((await findNotifications()) > 0);
  });
const send = (cell: Cell, afterMs: number) =>
  inCell(cell, async () => {
    while ((await sendDueNotifications(new Date(Date.now() + afterMs))) > 0);
  });

it("about a change of authority is sent from the new cell, even if the operator registered there later", async () => {
  const address = "security@sluice.example";
  const operator = { context: operatorContext(NOBODY, "live") };
  const terms = { address, types: ["security"], schedule: { ...AT_ONCE, pace: "daily" } } as const;
  const merchant = await inCell(main(), () => makeMerchant());
  await inCell(main(), async () => {
    await register(operator, terms);
    await makePerson(merchant, ["owner"]);
    const other = await makePerson(merchant, ["developer"]);
    await changeRoles(operatorContext(merchant.merchantId, "live"), other.id, ["admin", "owner"]);
  });
  await find(main());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ code: "validation_failed" });
  await inCell(eu2(), () => register(operator, terms));
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  for (const cell of [main(), eu2()]) await find(cell);
  for (const cell of [main(), eu2()]) await send(cell, DAY_MS);
  expect(stage.mailsTo(address)).toHaveLength(1);
});

it("about an exception is sent after the merchant has moved away and come back", async () => {
  const address = "exception@sluice.example";
  const operator = { context: operatorContext(NOBODY, "test") };
  const terms = { address, types: ["exception_opened"], schedule: AT_ONCE } as const;
  const { merchantId, scope } = await inCell(main(), () => makeMerchant());
  for (const cell of [main(), eu2()]) await inCell(cell, () => register(operator, terms));
  const stuck = { scope, kind: "stuck", objectId: "word_y", fact: "stuck:y", detail: { why: "Detail." } } as const;
  await inCell(main(), () => openException(stuck, new Date()));
  await find(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  // Due in the old cell 5 s after it was found; the new cell waits as long for more.
  await send(main(), 6_000);
  await find(eu2());
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  for (const cell of [eu2(), main()]) {
    await find(cell);
    await send(cell, DAY_MS);
  }
  expect(stage.mailsTo(address)).toHaveLength(1);
});
