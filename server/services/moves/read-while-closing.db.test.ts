// What is read in several cells while a merchant closes to move.
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { inCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { acceptCallbacks, sendCallback } from "@/server/testing/callbacks";
import { makeLiveMerchant, makeMerchant, payment } from "@/server/testing/merchant";
import { installScriptedProvider } from "@/server/testing/scripted-provider";
import { scriptedTopup } from "@/server/testing/topup";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { importLines } from "./testing/bank-batch";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
it("an entry about the intent of a merchant that closes is not booked for another merchant", async () => {
  const theirs = await inCell(main(), () => makeMerchant());
  const reference = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(theirs.context, payment(), withoutIdempotency());
    await simulate(theirs.context, intent.id, "failed");
    return intent.id;
  });
  await sql(
    main(),
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${reference}'; COMMIT`,
  );
  const day = new Date(Date.now() - 3_600_000).toISOString();
  expect(await importLines(`l-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},b`)).toEqual([
    "missing_internal",
  ]);
  const other = await inCell(main(), () => makeMerchant());
  const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", reference);
  const MONEY =
    "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050 --operator Eva --evidence seen";
  const about = ["--merchant", other.merchantId, "--exception", String(missing?.["id"]), "--additional"];
  expect(await runCommand("journal", "propose", ...MONEY.split(" "), ...about)).toMatchObject({
    code: "validation_failed",
  });
  await fence(main(), theirs.merchantId, "closing", eu2());
  const unlike = await runCommand("journal", "propose", ...MONEY.split(" "), ...about.slice(0, 4));
  expect(unlike).toMatchObject({ code: "service_unavailable" });
  const additional = await runCommand("journal", "propose", ...MONEY.split(" "), ...about);
  const confirmed = await runCommand("journal", "confirm", "--id", String(additional["id"]), "--operator", "Ole");
  await unfence(main(), theirs.merchantId);
  expect(confirmed["state"]).not.toBe("confirmed");
});

it("callbacks of merchants of a cell that hangs do not hold up those of others", async () => {
  installScriptedProvider();
  acceptCallbacks();
  const [moved, neighbor] = [await inCell(main(), makeLiveMerchant), await inCell(main(), makeLiveMerchant)];
  const theirs = await inCell(main(), () => scriptedTopup(moved));
  const ours = await inCell(main(), () => scriptedTopup(neighbor));
  expect(await move(moved.merchantId, eu2())).toMatchObject({ phase: "done" });
  const server = createServer(() => undefined);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await cells.pointTo([null, `postgresql://nobody:x@127.0.0.1:${port}/none`]);
  const report = (intent: { readonly sourceAmount: bigint }) => ({
    callback_id: newId("event"),
    status: "funds_seen",
    amount: intent.sourceAmount.toString(),
    currency: "USDT",
    provider_reference: null,
    confirmed: true,
  });
  for (let n = 0; n < 300; n += 1)
    await sendCallback({ merchantId: theirs.merchantId, id: newId("topupIntent") }, report(theirs));
  const last = report(ours);
  await sendCallback(ours, last);
  const begun = performance.now();
  const isOver = async () =>
    (await sql(main(), "SELECT FROM provider_callback WHERE callback_id = $1 AND result IS NOT NULL", last.callback_id))
      .length > 0;
  while (!(await isOver()) && performance.now() - begun < 60_000)
    await inCell(main(), () => applyDueCallbacks(50, 30_000));
  const ms = performance.now() - begun;
  server.close();
  expect(ms).toBeLessThan(6_000);
});
