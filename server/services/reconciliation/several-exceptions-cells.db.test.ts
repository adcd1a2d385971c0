// A bank line that a member of a further cell uploads before the operator's import books it in the first cell.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { type CellsOfTest, openCellsWithMerchants, type Resident, whileAway } from "@/server/db/testing/residents";
import { inCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { makeMember, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { bookFor } from "../journal/testing/entries";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { reconcile } from "./reconcile";
import { previewUpload, storeUpload } from "./upload";

vi.mock("@/server/platform/clock", async (original) => ({ ...(await original<object>()), now: () => new Date() }));
const DAY = 24 * 60 * 60_000;
let day = Date.UTC(2027, 5, 1);
let cells: CellsOfTest;
beforeAll(async () => void (cells = await openCellsWithMerchants("test")));
beforeEach(() => {
  day += DAY;
  vi.useFakeTimers({ toFake: ["Date"], now: day + 9 * 60 * 60_000 });
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  await disconnect();
  await cells.end();
});
const paid = (resident: Resident) =>
  inCell(resident.cell, async () => {
    const { context } = resident.merchant;
    const { id } = (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
    await simulate(context, id, "succeeded");
    return id;
  });
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";

interface Day {
  /** Books the bank line of the merchant's upload by hand; returns the entry's state, or the code of its refusal. */
  readonly book: () => Promise<string>;
  /** The operator imports the whole file; returns how many lines were banked. */
  readonly run: () => Promise<number>;
}

/** A day on which a member uploads the merchant's payment with the bank line, which settles a payment of either cell. */
async function uploadedDay(whose: "ours" | "theirs"): Promise<Day> {
  const own = cells[whose];
  const [a, b] = [await paid(cells.ours), await paid(cells.theirs)];
  const at = new Date(day).toISOString();
  const ours = `${day}-0,payment,${a},px,1050,BRL,,${at},x${day}`;
  const theirs = `${day}-1,payment,${b},px,1050,BRL,,${at},x${day}`;
  const bank = `${day}-b,bank_credit,,tr,2100,BRL,,${at},x${day}`;
  const text = (...rows: readonly string[]) => [HEADER, ...rows, ""].join("\n");
  const { merchantId, context } = own.merchant;
  await inCell(own.cell, async () => {
    const id = await makeMember(merchantId, `f-${newId("request")}@shop.example`, "finance");
    const member = { ...context, actor: { type: "member", id } } as const;
    const file = { provider: "sandbox", name: "part.csv", text: text(whose === "ours" ? ours : theirs, bank) };
    const { digest } = await previewUpload(member, file);
    await storeUpload(member, { ...file, digest });
  });
  const book = () =>
    inCell(own.cell, async () => {
      const find = "SELECT id FROM exception WHERE merchant_id = $1 AND object_id = $2";
      const [row] = await query<{ id: string }>(find, merchantId, `${day}-b`);
      const transfer = { from: "bank", to: "provider_clearing", provider: "sandbox" } as const;
      return bookFor(own.merchant, { ...transfer, exceptionId: row?.id ?? "" });
    });
  const run = async () => {
    const bytes = new TextEncoder().encode(text(ours, theirs, bank));
    const file = { provider: "sandbox", environment: "test", name: "day.csv", bytes } as const;
    return (await reconcile({ ...file, from: new Date(day), to: new Date(day + DAY) })).linesBanked;
  };
  return { book, run };
}

it.each(["ours", "theirs"] as const)(
  "that an import has booked in the first cell is not booked by hand (merchant of cell: %s)",
  async (whose) => {
    const { book, run } = await uploadedDay(whose);
    expect(await run()).toBe(2);
    expect(await book()).toBe("validation_failed");
  },
);

it.each([false, true])(
  "that was booked by hand in a further cell stays so, if that cell is away at the import (%s)",
  async (isAway) => {
    const { book, run } = await uploadedDay("theirs");
    expect(await book()).toBe("confirmed");
    let linesBanked = 0;
    if (isAway) await whileAway(cells, async () => void (linesBanked += await run()));
    linesBanked += await run();
    expect(linesBanked).toBe(0);
  },
);
