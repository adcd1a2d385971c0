// The operator's settlement file, imported while a merchant begins to close: its lines are not taken for nobody's, and the fees of
// others are booked, or the import says that it has to be repeated.
import { beforeEach, expect, it, vi } from "vitest";
import type * as Bookings from "@/server/db/reconciliation/bookings";
import type * as Books from "@/server/db/reconciliation/books";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { type Cell, currentCell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { asServiceError } from "../outage";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

/** What happens around the look for references in the second cell, and before the fees are booked. */
const meanwhile = vi.hoisted(() => ({
  beforeLook: async () => {},
  afterLook: async () => {},
  beforeFees: async () => {},
}));

vi.mock("@/server/db/reconciliation/books", async (original) => {
  const own = await original<typeof Books>();
  const findReferencesAcrossMerchants: typeof own.findReferencesAcrossMerchants = async (...given) => {
    if (currentCell().name !== "eu2") return own.findReferencesAcrossMerchants(...given);
    await meanwhile.beforeLook();
    const found = await own.findReferencesAcrossMerchants(...given);
    await meanwhile.afterLook();
    return found;
  };
  return { ...own, findReferencesAcrossMerchants };
});
vi.mock("@/server/db/reconciliation/bookings", async (original) => {
  const own = await original<typeof Bookings>();
  const findUnbooked: typeof own.findUnbooked = async (...given) => {
    const { beforeFees } = meanwhile;
    meanwhile.beforeFees = nothing;
    await beforeFees();
    return own.findUnbooked(...given);
  };
  return { ...own, findUnbooked };
});

const DAY = new Date(Date.now() - 3_600_000).toISOString();

const nothing = async () => {};

threeCells();
beforeEach(() => {
  Object.assign(meanwhile, { beforeLook: nothing, afterLook: nothing, beforeFees: nothing });
});

const paid = (cell: Cell, { context }: TestMerchant) =>
  inCell(cell, async () => {
    const { id } = (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
    await simulate(context, id, "succeeded");
    return id;
  });

/** Imports a file with a line of each payment, which cost 5. */
function importFile(ids: readonly string[]) {
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const lines = ids.map((id) => `l-${id},payment,${id},p-${id},1050,BRL,5,${DAY},b`);
  const bytes = new TextEncoder().encode([header, ...lines, ""].join("\n"));
  return reconcile({ provider: "sandbox", environment: "test", name: "f.csv", bytes, from: null, to: null });
}

it.each(["stays closed", "opens again at once"])("the lines of a merchant that %s are not nobody's", async (then) => {
  const merchant = await inCell(main(), () => makeMerchant());
  const { merchantId } = merchant;
  const id = await paid(main(), merchant);
  await move(merchantId, eu2());
  // It is being copied back when the import begins.
  await fence(main(), merchantId, "arriving", eu2());
  meanwhile.beforeLook = () => fence(eu2(), merchantId, "closing", main());
  if (then === "opens again at once") meanwhile.afterLook = () => unfence(eu2(), merchantId);
  await expect(importFile([id])).rejects.toMatchObject({ code: "service_unavailable" });
  Object.assign(meanwhile, { beforeLook: nothing, afterLook: nothing });
  await unfence(eu2(), merchantId);
  await fence(main(), merchantId, "left", eu2());
  expect((await importFile([id])).lines).toMatchObject([{ verdict: "matched" }]);
  expect(await sql(main(), "SELECT kind FROM exception WHERE object_id = $1", id)).toEqual([]);
});

it("a merchant that leaves before its fees are booked has them after the next import, and so have others", async () => {
  const [moving, neighbor] = [await inCell(main(), () => makeMerchant()), await inCell(main(), () => makeMerchant())];
  const ids = [await paid(main(), moving), await paid(main(), neighbor)];
  meanwhile.beforeFees = async () => {
    await move(moving.merchantId, eu2());
  };
  const refusal = await importFile(ids).catch(asServiceError);
  expect(refusal).toMatchObject({ code: "service_unavailable" });
  const { lines } = await importFile(ids);
  expect(lines.map(({ verdict }) => verdict)).toEqual(["matched", "matched"]);
  const fees = (cell: Cell, { merchantId }: TestMerchant) =>
    sql(
      cell,
      "SELECT unique_key FROM ledger_transaction WHERE merchant_id = $1 AND reason = 'provider_fee'",
      merchantId,
    );
  expect(await fees(eu2(), moving)).toHaveLength(1);
  expect(await fees(main(), neighbor)).toHaveLength(1);
});
