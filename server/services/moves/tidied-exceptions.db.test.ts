// A line of nobody has an exception in each cell in which its merchant was; the one where the merchant is not is tidied up.
import { describe, expect, it } from "vitest";
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

/** A line about a failed payment of another provider: nobody's, wherever the merchant is. */
async function lineOfNobody() {
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
  const bytes = new TextEncoder().encode(`${HEADER}\n${line}\n`);
  const openIn = async (cell: Cell) => {
    const rows = await sql(cell, "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL", id);
    return rows.map((row) => String(row["id"]));
  };
  return {
    run: () => reconcile({ ...SETTLEMENT, name: "f.csv", bytes }),
    openIn,
    go: async (to: Cell) => expect(await move(merchantId, to)).toMatchObject({ phase: "done" }),
    /** Somebody resolves the exception in the cell where the merchant is not. */
    tidyUp: async (cell: Cell) => {
      const [stale] = await openIn(cell);
      const text = "See the exception in the merchant's cell.";
      await runCommand("exceptions", "resolve", "--id", String(stale), "--resolution", text);
    },
  };
}

describe("the other exception stays open until somebody books the money", () => {
  it.each([false, true])("if the merchant has come back (and moves on: %s)", async (moves) => {
    const { run, openIn, go, tidyUp } = await lineOfNobody();
    await run();
    await go(eu2());
    await run();
    await go(main());
    expect(await openIn(main())).toHaveLength(1);
    await tidyUp(eu2());
    await run();
    expect(await openIn(main())).toHaveLength(1);
    if (moves) await go(eu2());
    await run();
    expect([...(await openIn(main())), ...(await openIn(eu2()))]).toHaveLength(1);
  });

  it("if the merchant comes back afterwards", async () => {
    const { run, openIn, go, tidyUp } = await lineOfNobody();
    await run();
    await go(eu2());
    await run();
    await tidyUp(main());
    await run();
    expect(await openIn(eu2())).toHaveLength(1);
    await go(main());
    await run();
    expect([...(await openIn(main())), ...(await openIn(eu2()))]).toHaveLength(1);
  });
});
