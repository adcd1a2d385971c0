// A line of nobody has an exception in each cell in which its merchant was; the one where the merchant is not is tidied up.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";

it.each([false, true])(
  "the other one stays open until somebody books the money (the merchant moves on: %s)",
  async (moves) => {
    const { merchantId, context } = await inCell(main(), () => makeMerchant());
    const id = await inCell(main(), async () => {
      const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
      await simulate(context, intent.id, "failed");
      return intent.id;
    });
    await sql(
      main(),
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
    const line = `l-${id},payment,${id},p-${id},1050,BRL,0,${new Date(Date.now() - 3_600_000).toISOString()},b`;
    const run = async () => {
      const bytes = new TextEncoder().encode(`${HEADER}\n${line}\n`);
      const { lines, exceptionsResolved } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
      return { verdict: lines[0]?.verdict, exceptionsResolved };
    };
    const openIn = async (cell: Cell) =>
      (await sql(cell, "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL", id)).map((row) =>
        String(row["id"]),
      );
    const go = async (to: Cell) => expect(await move(merchantId, to)).toMatchObject({ phase: "done" });
    await run();
    await go(eu2());
    await run();
    await go(main());
    // Two exceptions about one line: the one where the merchant is not is of no use.
    const [stale] = await openIn(eu2());
    expect(await openIn(main())).toHaveLength(1);
    const text = "The merchant is in main: see the exception there.";
    await runCommand("exceptions", "resolve", "--id", String(stale), "--resolution", text);
    await run();
    expect(await openIn(main())).toHaveLength(1);
    if (moves) await go(eu2());
    await run();
    const open = [...(await openIn(main())), ...(await openIn(eu2()))];
    expect(open).toHaveLength(1);
  },
);

it("or comes back", async () => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "failed");
    return intent.id;
  });
  await sql(
    main(),
    `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = 'other', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
  );
  const line = `l-${id},payment,${id},p-${id},1050,BRL,0,${new Date(Date.now() - 3_600_000).toISOString()},b`;
  const run = () =>
    reconcile({ ...SETTLEMENT, name: "f.csv", bytes: new TextEncoder().encode(`${HEADER}\n${line}\n`) });
  const openIn = async (cell: Cell) =>
    (await sql(cell, "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL", id)).map((row) =>
      String(row["id"]),
    );
  await run();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await run();
  const [stale] = await openIn(main());
  await runCommand("exceptions", "resolve", "--id", String(stale), "--resolution", "See the exception in eu2.");
  await run();
  expect(await openIn(eu2())).toHaveLength(1);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await run();
  expect([...(await openIn(main())), ...(await openIn(eu2()))]).toHaveLength(1);
});
