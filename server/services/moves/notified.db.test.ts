// A notification that is being sent while its merchant leaves.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openException } from "@/server/db/exceptions";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { findNotifications } from "../notifications/find";
import { sendDueNotifications } from "../notifications/send";
import { makePerson, openStage, register, type Stage } from "../notifications/testing/stage";
import { holdMover } from "./testing/killed-mover";
import { eu2, main, move, threeCells } from "./testing/three-cells";

threeCells();
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

it("is sent once, although it takes two seconds", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  await inCell(main(), async () => {
    const person = await makePerson(merchant, ["owner"]);
    await register(person, { types: ["exception_opened"], channel: "webhook", url: `${stage.receiver.url}/mine` });
    const what = { kind: "stuck", objectId: "word_x", fact: "stuck:x", detail: { why: "Detail." } } as const;
    await openException({ scope: merchant.scope, ...what }, new Date());
    while ((await findNotifications()) > 0);
  });
  const own = stage.receiver.respond;
  stage.receiver.respond = ((...given: Parameters<typeof own>) => {
    setTimeout(() => own(...given), 2_000);
  }) as typeof own;
  const mover = holdMover(/^INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/);
  const moving = move(merchant.merchantId, eu2());
  await Promise.race([mover.held, moving]);
  const sending = inCell(main(), () => sendDueNotifications(new Date(Date.now() + 60_000)));
  await vi.waitFor(() => expect(stage.receiver.received).toHaveLength(1), { timeout: 10_000, interval: 20 });
  mover.goOn();
  expect(await moving).toMatchObject({ phase: "done" });
  mover.restore();
  await sending;
  await inCell(eu2(), () => sendDueNotifications(new Date(Date.now() + 600_000)));
  expect(stage.receiver.received).toHaveLength(1);
});
