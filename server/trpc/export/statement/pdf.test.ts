// PDF statements, read back with Debian's pdftotext.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ISO_CURRENCIES, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { toReadableString } from "@/server/domain/money";
import type { AccountLine } from "./document";
import { requirePdf, statementPdf } from "./pdf";
import { NO_NAMES, statementOf, type Written } from "./testing/statements";

const isMissing = spawnSync("pdftotext", ["-v"]).error !== undefined;

async function* inParts(lines: readonly AccountLine[]) {
  for (let start = 0; start < lines.length; start += 7) yield lines.slice(start, start + 7);
}

const write = ({ head, lines }: Written) => statementPdf(head, inParts(lines));

function textOf(pdf: Buffer): string {
  const { stdout, status } = spawnSync("pdftotext", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" });
  expect(status).toBe(0);
  return stdout;
}

describe.skipIf(isMissing)(`a PDF${isMissing ? " (skipped: needs poppler-utils)" : ""}`, () => {
  it.each([...ISO_CURRENCIES.filter((_, n) => n % 20 === 0), "JPY", "KWD", "CLF", ...TOKEN_SYMBOLS])(
    "in %s has balances, every amount and every balance, to the last digit",
    async (currency) => {
      const written = statementOf(currency, 1_000_000n, [123_456_789n, -7n, -1_000_000n, 10n ** 15n, 1n]);
      const text = textOf(await write(written)).replaceAll(/[ \n]+/g, " ");
      const { head, lines } = written;
      for (const sum of [head.opening, head.closing, head.total.credited, head.total.debited]) {
        expect(text).toContain(toReadableString(sum, currency));
      }
      for (const { amount, balance } of lines) {
        const size = toReadableString(amount < 0n ? -amount : amount, currency);
        expect(text).toContain(`${amount < 0n ? "−" : "+"}${size} ${toReadableString(balance, currency)}`);
      }
    },
  );

  it.each([
    "Łukasz Żółćński",
    "Nguyễn Thị Phương",
    "Iñaki Ñúñez Ação",
    "Þórður Ægisson",
    "İbrahim Şğ",
    "Ελένη Παπαδοπούλου",
    "Сергей Щербаков",
  ])("shows the name %s", async (counterparty) => {
    // Also where the letters and their marks are separate characters.
    for (const form of ["NFC", "NFD"] as const) {
      const names = { ...NO_NAMES, counterparty: counterparty.normalize(form) };
      const text = textOf(await write(statementOf("EUR", 0n, [5n], names)));
      expect(text.normalize("NFC")).toContain(counterparty);
      expect(text).not.toContain("cannot show");
    }
  });

  it("says when a name has letters that it cannot show", async () => {
    const names = { ...NO_NAMES, counterparty: "山田太郎" };
    expect(textOf(await write(statementOf("JPY", 0n, [5n], names)))).toContain("The CSV file has them in full");
  });

  it("repeats the header on every page and numbers them all", async () => {
    const text = textOf(
      await write(
        statementOf(
          "BRL",
          0n,
          Array.from({ length: 200 }, () => 5n),
        ),
      ),
    );
    const pages = text.split("\f").slice(0, -1);
    expect(pages.length).toBeGreaterThan(2);
    for (const [n, page] of pages.entries()) {
      expect(page).toContain(`Page ${n + 1} of ${pages.length}`);
      expect(page).toMatch(/Booked +Movement +References +Amount +Balance/);
    }
    expect(text.match(/\+0\.05/g)).toHaveLength(200);
  });

  it("marks a statement of the test environment", async () => {
    const { head, lines } = statementOf("BRL", 0n, [5n]);
    expect(textOf(await write({ head: { ...head, environment: "test" }, lines }))).toContain("no real money");
  });
});

it("is a PDF, also without movements, and is rejected above 2,000 of them", async () => {
  const empty = statementOf("BRL", 3n, []);
  expect((await write(empty)).subarray(0, 5).toString()).toBe("%PDF-");
  const kinds = (creditCount: number) => ({ ...empty.head, total: { ...empty.head.total, creditCount } });
  expect(() => requirePdf(kinds(2_000))).not.toThrow();
  expect(() => requirePdf(kinds(2_001))).toThrow(/2,001 movements, and a PDF has at most 2,000/);
});

it("is in its reader's language: its words, the separators of its sums, and its own language", async () => {
  const { head, lines } = statementOf("EUR", 0n, [123_456n]);
  const portuguese = await write({ head: { ...head, language: "pt-BR" }, lines });
  expect(textOf(portuguese)).toContain("1.234,56");
  const pdf = await write({ head: { ...head, language: "es" }, lines });
  const text = textOf(pdf).replaceAll(/[ \n]+/g, " ");
  for (const words of [
    "Estado de cuenta EUR, saldo disponible",
    "Saldo inicial, EUR",
    "Movimientos",
    "Página 1 de 1",
    "1,234.56",
  ])
    expect(text).toContain(words);
  for (const words of ["Statement", "Opening", "Balance"]) expect(text).not.toContain(words);
  expect(pdf.toString("latin1")).toContain("/Lang (es)");
});
