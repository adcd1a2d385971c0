// Callbacks that a provider has sent once, after a restore, and what docs/operating.md says about that restore.
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { makeLiveMerchant, payment } from "@/server/testing/merchant";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { settleStays } from "../cells/settle-stays";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { fenceIn } from "./testing/rows";
import { eu2, killedAt, main, move, sql, threeCells } from "./testing/three-cells";

const SECRET = "a secret of at least thirty-two characters";
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };

const cells = threeCells();
beforeEach(() => {
  configureGateways(JSON.stringify([ACME]));
  configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
});
afterEach(() => {
  configureGateways(null);
  configureRoutes(null);
});

async function paymentOfOne() {
  const { merchantId, context } = await inCell(main(), makeLiveMerchant);
  const { intent } = await inCell(main(), () => createPaymentIntent(context, payment(), withoutIdempotency()));
  const body = JSON.stringify({
    callback_id: newId("event"),
    merchant_id: merchantId,
    reference: intent.id,
    status: "succeeded",
    amount: "1050",
    currency: "BRL",
    provider_reference: `psp-${intent.id}`,
  });
  const send = () => {
    const message = { method: "POST", path: "/providers/acme/callbacks", body };
    return receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
  };
  const statusIn = async (cell: Cell) =>
    (await sql(cell, "SELECT status FROM payment_intent WHERE id = $1", intent.id))[0]?.["status"];
  return { merchantId, send, statusIn };
}

async function work() {
  await inEachCell(settleStays);
  await inEachCell(() => applyDueCallbacks(1_000, 30_000));
}

/** A process believes for ten seconds that the ledger's accounts are still there which a restore has lost. */
const succeedsIn = (cell: Cell, statusIn: (cell: Cell) => Promise<unknown>) =>
  vi.waitFor(
    async () => {
      await work();
      expect(await statusIn(cell)).toBe("succeeded");
    },
    { timeout: 60_000, interval: 500 },
  );

it("a callback that was handed over is applied where docs/operating.md opens its merchant again", async () => {
  const { merchantId, send, statusIn } = await paymentOfOne();
  const before = await cells.backUp(eu2());
  await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, eu2());
  await send();
  await succeedsIn(eu2(), statusIn);
  await cells.pointTo([null, before]);
  const text = await readFile("docs/operating.md", "utf8");
  const block = /A merchant is in no cell[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  await sql(main(), block.replaceAll("mer_…", merchantId));
  expect(await fenceIn(main(), merchantId)).toBeNull();
  await succeedsIn(main(), statusIn);
});

it("a callback that came once, while the restored cell still had the merchant, is applied in the newer one", async () => {
  const { merchantId, send, statusIn } = await paymentOfOne();
  const earlier = await cells.backUp(main());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await cells.pointTo([earlier]);
  // A provider sends a callback once if it is answered 200.
  await send();
  await inCell(main(), () => applyDueCallbacks(1_000, 30_000));
  expect(await statusIn(main())).toBe("succeeded");
  await work();
  expect(await fenceIn(main(), merchantId)).toBe("left eu2");
  const dropped = await runCommand("merchants", "drop-copy", "--merchant", merchantId, "--from", "main");
  expect(dropped).toMatchObject({ cell: "eu2" });
  await succeedsIn(eu2(), statusIn);
});
