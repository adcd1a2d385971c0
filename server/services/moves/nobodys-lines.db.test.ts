// Lines of the operator's settlement file that were nobody's at first, and then a merchant's that has moved.
import { describe, expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { moveByHand } from "@/server/db/testing/move-by-hand";
import { type Cell, inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { type AnyIntent, findAnyIntent } from "../intent-kinds";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";

const MONEY =
  "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050";

const FEE = MONEY.replace("provider_clearing --to available", "fees --to provider_clearing");
const BANK = MONEY.replace("provider_clearing --to available", "bank --to provider_clearing").replace("1050", "1020");

const bytesOf = (...lines: string[]) => new TextEncoder().encode(`${[HEADER, ...lines].join("\n")}\n`);

/**
 * A payment that failed over to another provider before the first one, whose file has its line, reported its money. Nothing has
 * the line until `settle` books it.
 */
async function lineOfNobody({ hasFailed = false } = {}) {
  const merchant = await inCell(main(), () => makeMerchant());
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    if (hasFailed) await simulate(merchant.context, intent.id, "failed");
    return intent.id;
  });
  const setProvider = (name: string) =>
    sql(
      main(),
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE payment_intent SET provider = '${name}', routing = jsonb_set(routing, '{order}', '["sandbox", "other"]') WHERE id = '${id}'; COMMIT`,
    );
  await setProvider("other");
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const run = async (...said: string[]) => {
    const { lines } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes: bytesOf(...said) });
    return lines.map(({ verdict }) => verdict);
  };
  return {
    merchantId: merchant.merchantId,
    line: `l-${id},payment,${id},p-${id},1050,BRL,0,${day},b`,
    /** The same as another line, of a later batch. */
    again: `l-${id},payment,${id},p-${id},1050,BRL,0,${new Date().toISOString()},c`,
    /** Another line with its `line_id`. */
    namesake: `l-${id},bank_credit,,x-${id},77,BRL,0,${day},x`,
    run,
    /** The first provider reports the money of the ended payment. */
    async reportLate() {
      const subject = (await findAnyIntent(merchant.merchantId, id)) as AnyIntent;
      const money = { amount: 1050n, currency: "BRL", receiptId: "r-1", providerReference: "px" };
      await applyUpdate(merchant.context, subject, [{ kind: "succeeded", ...money }], {
        provider: "sandbox",
        receivedAt: new Date(),
      });
    },
    returnToProvider: () => setProvider("sandbox"),
    async settle() {
      await setProvider("sandbox");
      await inCell(main(), () => simulate(merchant.context, id, "succeeded"));
    },
  };
}

it("a line that was missing does not keep the merchant from coming back", async () => {
  const { merchantId, line, run, settle } = await lineOfNobody();
  expect(await run(line)).toEqual(["missing_internal"]);
  await settle();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await run(line)).toEqual(["matched"]);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
});

it("a line that was a duplicate, by its line_id, does not keep the merchant from coming back", async () => {
  const { merchantId, line, namesake, run, settle } = await lineOfNobody();
  await run(namesake);
  expect(await run(line)).toEqual(["duplicate"]);
  await settle();
  await moveByHand(main(), eu2(), merchantId);
  expect(await run(line)).toEqual(["duplicate"]);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
});

it("the exception of a line that was missing ends where it is once the line is found in the new cell", async () => {
  const { merchantId, line, run, settle } = await lineOfNobody();
  const open = () =>
    sql(main(), "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL", line.split(",")[2]);
  await run(line);
  expect(await open()).toHaveLength(1);
  await settle();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await run(line)).toEqual(["matched"]);
  expect(await open()).toEqual([]);
});

describe("a line that stays missing after its merchant has moved", () => {
  const openIn = async (cell: Cell, { line }: { readonly line: string }) => {
    const open = "SELECT id FROM exception WHERE object_id = $1 AND resolved_at IS NULL";
    const [row] = await sql(cell, open, line.split(",")[2]);
    return row === undefined ? null : String(row["id"]);
  };

  /** Books the money by hand as two operators do, about an exception. */
  async function book(merchantId: string, exception: string, money = MONEY) {
    const about = ["--merchant", merchantId, "--exception", exception, "--operator", "Eva", "--evidence", "seen"];
    const { id, code } = await runCommand("journal", "propose", ...money.split(" "), ...about);
    if (typeof id !== "string") return code;
    const confirmed = await runCommand("journal", "confirm", "--id", id, "--operator", "Ole");
    return confirmed["state"] ?? confirmed["code"];
  }

  it("is nobody's where the merchant is, where a journal entry can name its exception", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    expect(await nobodys.run(nobodys.line)).toEqual(["missing_internal"]);
    expect(await openIn(main(), nobodys)).toBeNull();
    expect(await book(nobodys.merchantId, String(await openIn(eu2(), nobodys)))).toBe("confirmed");
    await inCell(eu2(), nobodys.reportLate);
    const booked = "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason <> 'funding'";
    expect(await sql(eu2(), booked, nobodys.merchantId)).toEqual([{ reason: "journal" }]);
  });

  it("has an exception in each cell that knew it, until one of them is resolved", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.run(nobodys.line);
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    await nobodys.run(nobodys.line);
    expect(await openIn(main(), nobodys)).not.toBeNull();
    expect(await book(nobodys.merchantId, String(await openIn(eu2(), nobodys)))).toBe("confirmed");
    await nobodys.run(nobodys.line);
    expect(await openIn(main(), nobodys)).toBeNull();
  });

  it("still has an exception if the file repeats it", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.run(nobodys.line);
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    for (let time = 0; time < 2; time += 1)
      expect(await nobodys.run(nobodys.line, nobodys.line)).toEqual(["missing_internal", "duplicate"]);
    expect(await openIn(eu2(), nobodys)).not.toBeNull();
  });

  it("is booked by hand once, although its exception in the old cell is open when the merchant is back", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.run(nobodys.line);
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    await nobodys.run(nobodys.line);
    expect(await book(nobodys.merchantId, String(await openIn(eu2(), nobodys)))).toBe("confirmed");
    expect(await move(nobodys.merchantId, main())).toMatchObject({ phase: "done" });
    expect(await book(nobodys.merchantId, String(await openIn(main(), nobodys)))).toBe("validation_failed");
  });

  it("has used its line_id, also in the cell to which the merchant moves", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.run(nobodys.line);
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    expect(await nobodys.run(nobodys.again)).toEqual(["duplicate"]);
  });

  it("needs nobody where the merchant is if it was booked by hand before the move", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.run(nobodys.line);
    expect(await book(nobodys.merchantId, String(await openIn(main(), nobodys)))).toBe("confirmed");
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    expect(await nobodys.run(nobodys.line)).toEqual(["missing_internal"]);
    expect(await openIn(eu2(), nobodys)).toBeNull();
  });

  it("is not charged where the merchant is if it is a fee that was booked by hand before the move", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    const fee = nobodys.line.replace(",payment,", ",fee,");
    await nobodys.run(fee);
    expect(await book(nobodys.merchantId, String(await openIn(main(), nobodys)), FEE)).toBe("confirmed");
    await nobodys.returnToProvider();
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    expect(await nobodys.run(fee)).toEqual(["missing_internal"]);
    const booked = "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason <> 'funding'";
    expect(await sql(eu2(), booked, nobodys.merchantId)).toEqual([{ reason: "journal" }]);
  });

  it("is not booked by hand for another merchant, also once its own has moved", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    const fee = nobodys.line.replace(",payment,", ",fee,");
    await nobodys.run(fee);
    const other = await inCell(main(), () => makeMerchant());
    const bookForOther = async () => book(other.merchantId, String(await openIn(main(), nobodys)), FEE);
    expect(await bookForOther()).toBe("validation_failed");
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    expect(await bookForOther()).toBe("validation_failed");
  });

  it("of a bank transfer that was booked by hand is not booked again after the merchant has moved", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.returnToProvider();
    await inCell(main(), nobodys.reportLate);
    const bank = nobodys.namesake.replace(",77,", ",1020,").replace(/x$/, "b").replace("l-", "b-");
    const fee = nobodys.line.replace(",payment,", ",fee,").replace(",1050,", ",30,").replace("l-", "f-");
    expect(await nobodys.run(nobodys.line, bank)).toEqual(["matched", "missing_internal"]);
    const [missing] = await sql(main(), "SELECT id FROM exception WHERE object_id = $1", bank.split(",")[0]);
    expect(await book(nobodys.merchantId, String(missing?.["id"]), BANK)).toBe("confirmed");
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    expect(await nobodys.run(nobodys.line, bank, fee)).toEqual(["matched", "missing_internal", "fee"]);
    const banked = "SELECT id FROM ledger_transaction WHERE merchant_id = $1 AND reason = 'provider_settlement'";
    expect(await sql(eu2(), banked, nobodys.merchantId)).toEqual([]);
  });

  it("keeps its exception where the merchant is if somebody resolves the one in the old cell", async () => {
    const nobodys = await lineOfNobody({ hasFailed: true });
    await nobodys.run(nobodys.line);
    expect(await move(nobodys.merchantId, eu2())).toMatchObject({ phase: "done" });
    await nobodys.run(nobodys.line);
    const stale = String(await openIn(main(), nobodys));
    await runCommand("exceptions", "resolve", "--id", stale, "--resolution", "See the one in eu2.");
    await nobodys.run(nobodys.line);
    expect(await openIn(main(), nobodys)).toBeNull();
    expect(await openIn(eu2(), nobodys)).not.toBeNull();
  });
});

it("what moved between two files is missed, also in a cell that was added after the first one", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  const imported = async (at: Date) => {
    const line = `l-${at.getTime()},payment,unknown-${at.getTime()},p,1,BRL,0,${at.toISOString()},b`;
    return reconcile({ ...SETTLEMENT, name: "f.csv", bytes: bytesOf(line) });
  };
  await imported(new Date(Date.now() - 3_600_000));
  // As in a cell that was added now.
  await sql(
    eu2(),
    "BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM settlement_line; DELETE FROM settlement_file; COMMIT",
  );
  const id = await inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "succeeded");
    return intent.id;
  });
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  const { unsettled } = await imported(new Date(Date.now() + 1_000));
  expect(unsettled.map(({ intentId }) => intentId)).toContain(id);
});

it.each(["stays", "has moved"])(
  "a line is matched whose line_id a later line has used: its merchant %s",
  async (where) => {
    const { merchantId, line, namesake, run, settle } = await lineOfNobody();
    expect(await run(line)).toEqual(["missing_internal"]);
    expect(await run(namesake)).toEqual(["duplicate"]);
    await settle();
    if (where === "has moved") await move(merchantId, eu2());
    expect(await run(line)).toEqual(["matched"]);
  },
);
