// A bank line that a member of a further cell uploads before the operator's import books it in the first cell.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { type CellsOfTest, openCellsWithMerchants, type Resident, whileAway } from "@/server/db/testing/residents";
import { NOBODY } from "@/server/domain/exceptions";
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
  readonly book: (isAdditional?: boolean) => Promise<string>;
  /** The operator says that the line of nobody's exception is booked; returns what the command prints. */
  readonly bookWithNobodys: () => Promise<Readonly<Record<string, unknown>>>;
  /** The exception of the bank line of that merchant, or of nobody. */
  readonly openOf: (owner: string) => Promise<string>;
  /** The operator imports the whole file; returns how many lines were banked. */
  readonly run: () => Promise<number>;
  /** The same of the first cell's line and the bank line. */
  readonly runPart: () => Promise<number>;
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
  const openOf = async (owner: string) => {
    const find = "SELECT id FROM exception WHERE merchant_id = $1 AND object_id = $2";
    const [row] = await query<{ id: string }>(find, owner, `${day}-b`);
    return row?.id ?? "";
  };
  const book = (isAdditional = false) =>
    inCell(own.cell, async () => {
      const transfer = { from: "bank", to: "provider_clearing", provider: "sandbox", isAdditional } as const;
      return bookFor(own.merchant, { ...transfer, exceptionId: await openOf(merchantId) });
    });
  const bookWithNobodys = async () => {
    const id = await inCell(cells.first, () => openOf(NOBODY));
    return runCommand("exceptions", "resolve", "--id", id, "--booked", "--resolution", "For their merchant.");
  };
  const importText = async (given: string) => {
    const bytes = new TextEncoder().encode(given);
    const file = { provider: "sandbox", environment: "test", name: "day.csv", bytes } as const;
    return (await reconcile({ ...file, from: new Date(day), to: new Date(day + DAY) })).linesBanked;
  };
  const run = () => importText(text(ours, theirs, bank));
  const runPart = () => importText(text(ours, bank));
  return { book, bookWithNobodys, openOf, run, runPart };
}

it.each(["ours", "theirs"] as const)(
  "that an import has booked in the first cell is not booked by hand (merchant of cell: %s)",
  async (whose) => {
    const { book, run } = await uploadedDay(whose);
    expect(await run()).toBe(2);
    expect(await book()).toBe("validation_failed");
  },
);

it("is not booked by hand for a merchant of a further cell, which does not decide on it", async () => {
  const { book, run } = await uploadedDay("theirs");
  expect(await book()).toBe("validation_failed");
  expect(await run()).toBe(2);
});

it.each([false, true])(
  "that an operator said is booked is booked by no import, also while the further cell is away (%s)",
  async (isAway) => {
    const { book, bookWithNobodys, run, runPart } = await uploadedDay("theirs");
    expect(await runPart()).toBe(0);
    const resolved = await bookWithNobodys();
    expect(resolved).toMatchObject({ resolution: "Booked by hand: For their merchant.", resolved_by: "operator:cli" });
    expect(await book(true)).toBe("confirmed");
    let linesBanked = 0;
    if (isAway) await whileAway(cells, async () => void (linesBanked += await run()));
    linesBanked += await run();
    expect(linesBanked).toBe(0);
    expect(await bookWithNobodys()).toMatchObject({ code: "validation_failed" });
  },
);

it("of a merchant cannot be said to be booked: its members resolve it, or an entry does", async () => {
  const { openOf } = await uploadedDay("ours");
  const { merchantId } = cells.ours.merchant;
  const id = await inCell(cells.first, () => openOf(merchantId));
  const member = await inCell(cells.first, () =>
    makeMember(merchantId, `m-${newId("request")}@shop.example`, "finance"),
  );
  const [row] = await inCell(cells.first, () =>
    query<{ email: string }>("SELECT email FROM member WHERE id = $1", member),
  );
  const resolve = ["exceptions", "resolve", "--id", id, "--as", row?.email ?? "", "--booked", "--resolution", "Seen."];
  expect(await runCommand(...resolve)).toMatchObject({ code: "validation_failed" });
});
