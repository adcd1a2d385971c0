// The operator's messages tell about several merchants, of which one may be moving to another cell, or have moved.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { NOBODY } from "@/server/domain/exceptions";
import { allCells } from "@/server/platform/cell";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { operatorContext } from "../merchants/operator";
import { findNotifications } from "./find";
import { sendDueNotifications } from "./send";
import { notificationsOf, openStage, register, type Stage } from "./testing/stage";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => query("DELETE FROM notification_registration"));
afterAll(async () => {
  await stage.close();
  await disconnect();
});

const openFor = (name: string, { scope }: TestMerchant) =>
  openException(
    { scope, kind: "stuck", objectId: `word_${name}`, fact: `stuck:${name}`, detail: { why: "Detail." } },
    new Date(),
  );

it.each([
  ["left", undefined],
  ["leaving", "pending"],
] as const)("the operator hears of a merchant although another one is %s", async (state, expected) => {
  const [mover, neighbor] = [await makeMerchant(), await makeMerchant()];
  const address = `${state}@sluice.example`;
  const { id } = await register({ context: operatorContext(NOBODY, "test") }, { address, types: ["exception_opened"] });
  await openFor(`mover_${state}`, mover);
  await openFor(`neighbor_${state}`, neighbor);
  const exceptions = await query<{ id: string; merchant_id: string }>(
    "SELECT id, merchant_id FROM exception WHERE merchant_id = ANY ($1)",
    [mover.merchantId, neighbor.merchantId],
  );
  while ((await findNotifications()) > 0);
  const [cell] = allCells();
  await fence(cell, mover.merchantId, state, { ...cell, name: "eu2" });
  const send = async () => {
    for (const minutes of [1, 10]) await sendDueNotifications(new Date(Date.now() + minutes * 60_000));
  };
  const states = new Map<string, string>();
  const look = async () => {
    for (const one of await notificationsOf(id)) states.set(one.object_id, one.state);
    return exceptions.map((one) => [one.merchant_id, states.get(one.id)]).sort();
  };
  await send();
  const wanted = [
    [mover.merchantId, expected],
    [neighbor.merchantId, "sent"],
  ].sort();
  expect(await look()).toEqual(wanted);
  expect(stage.mailsTo(address).filter((mail) => mail.includes(`word_neighbor_${state}`))).toHaveLength(1);
  if (state === "leaving") await unfence(cell, mover.merchantId);
  await sendDueNotifications(new Date(Date.now() + 60 * 60_000));
  // The operator hears of the moving merchant once it is open again.
  const told = stage.mailsTo(address).filter((mail) => mail.includes(`word_mover_${state}`));
  expect(told).toHaveLength(state === "left" ? 0 : 1);
});

it("messages with different contents have different ids, also if one was to be part of the other", async () => {
  const [mover, neighbor] = [await makeMerchant(), await makeMerchant()];
  const webhook = { channel: "webhook", url: `${stage.receiver.url}/hook`, types: ["exception_opened"] } as const;
  await register({ context: operatorContext(NOBODY, "test") }, webhook);
  await openFor("webhook_mover", mover);
  await openFor("webhook_neighbor", neighbor);
  while ((await findNotifications()) > 0);
  const [cell] = allCells();
  await fence(cell, mover.merchantId, "leaving", { ...cell, name: "eu2" });
  await sendDueNotifications(new Date(Date.now() + 60_000));
  await unfence(cell, mover.merchantId);
  await sendDueNotifications(new Date(Date.now() + 60 * 60_000));
  const about = (name: string) => stage.receiver.received.filter(({ body }) => body?.includes(`word_webhook_${name}`));
  expect([about("mover"), about("neighbor")].map(({ length }) => length)).toEqual([1, 1]);
  const ids = [...about("mover"), ...about("neighbor")].map(({ headers }) =>
    new Headers(headers as never).get("webhook-id"),
  );
  expect(new Set(ids).size).toBe(2);
});
