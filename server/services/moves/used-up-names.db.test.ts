// Providers that number callbacks per merchant use one id for several. The new cell may have as many bodies under it as it takes.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { keyOfBody, MAXIMUM_BODIES } from "@/server/domain/callback";
import { inEachCell } from "@/server/platform/cell";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { configureAcme, makeReportedPayment } from "./testing/reported-payment";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();
configureAcme();

it("a callback is applied, or somebody is asked, although its name is used up in the merchant's new cell", async () => {
  const { merchantId, callbackId, send, statusIn } = await makeReportedPayment();
  for (let number = 1; number <= MAXIMUM_BODIES; number += 1)
    await sql(
      eu2(),
      `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at)
       VALUES ('acme', $1, $2, now(), NULL, 1, 'applied', now(), NULL)`,
      keyOfBody({ provider: "acme", callbackId }, number).callbackId,
      `{"neighbor":${number}}`,
    );
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await send();
  for (let round = 0; round < 40; round += 1) {
    for (const cell of [main(), eu2()])
      await sql(cell, "UPDATE provider_callback SET due_at = now() WHERE due_at IS NOT NULL");
    await inEachCell(() => applyDueCallbacks(1_000, 30_000));
  }
  const [row] = await sql(main(), "SELECT result, attempts FROM provider_callback WHERE callback_id = $1", callbackId);
  const exceptions = (await runCommand("exceptions", "list"))["data"] as unknown[];
  const status = await statusIn(eu2());
  expect({ status, asked: exceptions.length, row }).toSatisfy(
    (found: { status: unknown; asked: number }) => found.status === "succeeded" || found.asked > 0,
  );
});
