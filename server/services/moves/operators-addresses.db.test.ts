// The operator is notified at two places in a cell and at one of them in the next one: a merchant does not move away from the other.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { newId } from "@/server/platform/ids";
import { eu2, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const REGISTER = `
  INSERT INTO notification_registration
    (merchant_id, id, environment, member_id, channel, address, types, pace, time_zone, daily_at, created_at)
  VALUES ('', $1, 'test', NULL, 'mail', $2, ARRAY['exception_opened'], 'immediate', 'UTC', 540, now() - interval '1 day')`;

it("a merchant moves once each address that hears of it is registered in the new cell", async () => {
  const register = (cell = main(), address = "ops@psp.example") =>
    sql(cell, REGISTER, newId("notificationRegistration"), address);
  for (const address of ["ops@psp.example", "risk@psp.example"]) await register(main(), address);
  await register(eu2());
  const merchantId = await makeOne();
  expect(await move(merchantId, eu2())).toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining("risk@psp.example") as string,
  });
  await register(eu2(), "Risk@psp.example");
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
});

it("and each URL", async () => {
  const add = (path: string) => {
    const url = `https://8.8.8.8/${path}`;
    return runCommand("notifications", "add", "--environment", "live", "--channel", "webhook", "--url", url);
  };
  for (const path of ["one", "two"]) await add(path);
  await sql(
    eu2(),
    "DELETE FROM notification_registration WHERE id = (SELECT max(id) FROM notification_registration WHERE channel = 'webhook')",
  );
  const merchantId = await makeOne();
  expect(await move(merchantId, eu2())).toMatchObject({ code: "validation_failed" });
  await add("two");
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
});
