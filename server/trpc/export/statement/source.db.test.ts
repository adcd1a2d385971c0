// The three files of a statement say the same: the balances of the period and all its lines, the oldest first.
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import type { PageReader } from "../page-reader";
import { statementCamt, statementCsv, statementPdfFile } from "./source";

const READER = { memberId: "mem_1", language: "en" } as const;

const HOLDER = "=HYPERLINK(1) & Söhne";

let merchant: TestMerchant;
beforeAll(async () => {
  merchant = await makeMerchant(["BRL", "USDT"]);
  for (const amount of ["250", "1"]) {
    const recipient = { ...payout().recipient, holderName: HOLDER };
    await createPayoutIntent(merchant.context, payout({ amount, recipient }), withoutIdempotency());
  }
});
afterAll(disconnect);

const urlOf = (query: string) => new URL(`http://localhost/api/export/test/statement?account=available&${query}`);

/** The whole file, whatever its parts. */
async function contentOf(read: PageReader): Promise<{ text: string; count: number }> {
  const { lines, next } = await read(null);
  expect(next).toBeNull();
  if (!("content" in lines)) throw new Error("rows instead of a file");
  return { text: lines.content.toString(), count: lines.count };
}

it("CSV: a row for the opening balance, the movements with both sides' names, and a row for the closing balance", async () => {
  const { lines } = await statementCsv(merchant.scope, urlOf("currency=BRL"), READER)(null);
  if (!("rows" in lines)) throw new Error("a file instead of rows");
  const text = [lines.columns, ...lines.rows]
    .map((row) => row.map((cell) => JSON.stringify(cell)).join(","))
    .join("\n");
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  expect(rows.map(({ movement, reason, amount, balance }) => [movement, reason, amount, balance])).toEqual([
    ["Opening balance", "opening_balance", "", "0.00"],
    ["Funding", "funding", "1000000.00", "1000000.00"],
    ["Set aside for a payout", "payout_hold", "-2.50", "999997.50"],
    ["Set aside for a payout", "payout_hold", "-0.01", "999997.49"],
    ["Closing balance", "closing_balance", "", "999997.49"],
  ]);
  expect(rows.map(({ counterparty }) => counterparty)).toEqual(["", "", `'${HOLDER}`, `'${HOLDER}`, ""]);
});

it("camt.053: the same balances and entries; a token is rejected", async () => {
  const { text, count } = await contentOf(statementCamt(merchant.scope, urlOf("currency=BRL"), READER));
  const amounts = [...text.matchAll(/<Amt Ccy="BRL">([0-9.]+)<\/Amt><CdtDbtInd>(\w+)/g)].map(([, sum, sign]) => [
    sum,
    sign,
  ]);
  expect(amounts).toEqual([
    ["0.00", "CRDT"],
    ["999997.49", "CRDT"],
    ["1000000.00", "CRDT"],
    ["2.50", "DBIT"],
    ["0.01", "DBIT"],
  ]);
  expect(text).toContain("<Cdtr><Pty><Nm>=HYPERLINK(1) &amp; Söhne</Nm></Pty></Cdtr>");
  expect(text.endsWith("</Document>\n")).toBe(true);
  expect(count).toBe(3);
  const token = statementCamt(merchant.scope, urlOf("currency=USDT"), READER)(null);
  await expect(token).rejects.toMatchObject({ code: "validation_failed" });
});

it("PDF: all lines, in the reader's zone; an unknown zone is rejected", async () => {
  const { text, count } = await contentOf(
    statementPdfFile(merchant.scope, urlOf("currency=BRL&time_zone=America/Sao_Paulo"), READER),
  );
  expect([text.slice(0, 5), count]).toEqual(["%PDF-", 3]);
  expect(() => statementPdfFile(merchant.scope, urlOf("currency=BRL&time_zone=Mars/Base"), READER)).toThrow(/IANA/);
});

it("a period is stated until now if it has not ended, and from its first line if it has no beginning", async () => {
  const { text } = await contentOf(
    statementCamt(merchant.scope, urlOf("currency=BRL&created_before=2999-01-01T00:00:00Z"), READER),
  );
  const [, from = "", to = ""] = /<FrDtTm>([^<]+)<\/FrDtTm><ToDtTm>([^<]+)</.exec(text) ?? [];
  expect(text).toContain(`<BookgDt><DtTm>${from}</DtTm>`);
  expect(Date.parse(to)).toBeLessThan(Date.UTC(2999, 0, 1));
});
