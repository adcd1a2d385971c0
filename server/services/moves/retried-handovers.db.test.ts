// Callbacks that were handed over to a cell that may have lost them since: they are tried again, with a digest that still proves them.
import { expect, it } from "vitest";
import { countKeysAcrossMerchants } from "@/server/db/secrets/count-keys";
import { inCell, inEachCell } from "@/server/platform/cell";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { prepareDispatch, resumeDispatch, showDispatch } from "../dispatch/control";
import { configureAcme, makeReportedPayment } from "./testing/reported-payment";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();
configureAcme();

const EVERYTHING = { provider: null, merchantId: null, currency: null };
/** As if that secret had been the current one when the callback came. */
const OLD_SECRET = "0a1b2c3d";

async function withOldSecret() {
  const reported = await makeReportedPayment();
  expect(await move(reported.merchantId, eu2())).toMatchObject({ phase: "done" });
  await reported.send();
  await reported.succeedsIn(eu2());
  await sql(
    main(),
    "UPDATE provider_callback SET digest = $2 || '.' || split_part(digest, '.', 2) WHERE callback_id = $1",
    reported.callbackId,
    OLD_SECRET,
  );
  return reported;
}

it("one that its provider repeats needs nobody, although the secret of its digest is gone", async () => {
  const { callbackId, send } = await withOldSecret();
  await send();
  await inEachCell(() => applyDueCallbacks(1_000, 30_000));
  const sent = await sql(main(), "SELECT result FROM provider_callback WHERE callback_id = $1", callbackId);
  expect(sent).toEqual([{ result: "handed_over" }]);
  expect(await sql(main(), "SELECT FROM exception WHERE fact LIKE '%' || $1", callbackId)).toEqual([]);
});

it.each([
  ["89 days", true],
  ["91 days", false],
])("the secret of one that came %s ago counts as needed: %s", async (age, isNeeded) => {
  const { callbackId } = await withOldSecret();
  const old = "UPDATE provider_callback SET received_at = now() - $2::interval WHERE callback_id = $1";
  await sql(main(), old, callbackId, age);
  const needed = await inCell(main(), countKeysAcrossMerchants);
  expect(needed.some(({ id }) => id === OLD_SECRET)).toBe(isNeeded);
  await sql(main(), "DELETE FROM provider_callback WHERE callback_id = $1", callbackId);
});

it("thousands of them are due in turn once payouts of the other cell go on, and none of before the last 90 days", async () => {
  await inCell(eu2(), prepareDispatch);
  await sql(
    main(),
    `INSERT INTO provider_callback (provider, callback_id, body, received_at, applied_at, result, attempts, due_at)
     SELECT 'acme', 'cb-' || n, 'x', at, at, 'handed_over', 1, NULL
     FROM (SELECT n, now() - CASE WHEN n <= 50 THEN interval '91 days' ELSE interval '89 days' END AS at
           FROM generate_series(1, 2_550) AS n) callback`,
  );
  await sql(eu2(), "UPDATE installation SET database_identity = 'as before a restore'");
  await inCell(eu2(), () => resumeDispatch(EVERYTHING, "Reconciled."));
  expect((await inCell(eu2(), showDispatch)).isRestored).toBe(false);
  const due = await sql(
    main(),
    `SELECT due_at, count(*)::int AS count
     FROM (SELECT date_trunc('second', due_at) AS due_at FROM provider_callback
           WHERE due_at IS NOT NULL AND callback_id LIKE 'cb-%') due GROUP BY due_at ORDER BY due_at`,
  );
  expect(due.reduce((sum, { count }) => sum + Number(count), 0)).toBe(2_500);
  expect(due.length).toBeGreaterThanOrEqual(3);
});
