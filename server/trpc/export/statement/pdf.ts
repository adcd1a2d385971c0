// A statement as a PDF: balances and totals on the first page, then the lines as a table.
import { createRequire } from "node:module";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { minorUnitDigits } from "@/server/domain/currencies";
import { LOCALES } from "@/server/domain/dashboard-languages";
import { dayAt } from "@/server/domain/days";
import { validationError } from "@/server/domain/errors";
import { localSum } from "@/server/domain/local-sum";
import { toReadableString } from "@/server/domain/money";
import { movementWords } from "@/server/domain/movement-words";
import { type Phrase, say } from "@/server/domain/texts/say";
import { wordIn } from "@/server/domain/texts/translate";
import { wallClock } from "@/server/domain/wall-clock";
import { type AccountLine, accountName, countOf, type StatementHead } from "./document";

/** About 75 pages. Each line costs half a millisecond of the process. */
const MOST_LINES = 2_000;
/** After so many lines, other requests take their turn. */
const LINES_AT_ONCE = 20;
const MARGIN = 40;
const SIZE = 8;
const PADDING = 4;
const INK = "#1c1917";
const SOFT = "#57534e";
const LINE = "#d6d3d1";

/** Scripts that the font has letters of (docs/reconciliation.md). */
const COVERED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;
const PICTURES = /\p{Emoji_Presentation}/u;

const { resolve } = createRequire(join(process.cwd(), "package.json"));
const font = (name: string) => resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

/** Throws validation_failed for more lines than a PDF holds. */
export function requirePdf(head: StatementHead): void {
  const lines = countOf(head);
  if (lines <= MOST_LINES) return;
  const [found, most] = [lines.toLocaleString("en"), MOST_LINES.toLocaleString("en")];
  throw validationError("created_after", `selects ${found} movements, and a PDF has at most ${most}; export CSV`);
}

/** The file, from its lines in their order. */
export async function statementPdf(head: StatementHead, parts: AsyncIterable<readonly AccountLine[]>): Promise<Buffer> {
  // Amounts of tokens are long.
  const layout = minorUnitDigits(head.currency) > 4 ? "landscape" : "portrait";
  const info = { Title: titleOf(head), Author: clean(head.merchant.name), CreationDate: head.createdAt };
  const document = new PDFDocument({
    size: "A4",
    layout,
    margin: MARGIN,
    bufferPages: true,
    lang: head.language,
    info,
  });
  document.registerFont("text", font("DejaVuSans")).registerFont("bold", font("DejaVuSans-Bold"));
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolveEnd, reject) => document.once("end", resolveEnd).once("error", reject));
  const writer = createWriter(document, head);
  writer.head();
  for await (const lines of parts) {
    for (const [n, line] of lines.entries()) {
      if (n % LINES_AT_ONCE === 0) await setImmediate();
      writer.line(line);
    }
  }
  writer.end();
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function titleOf(head: StatementHead): string {
  const { currency, language } = head;
  return say(language, "Statement {currency}, {account}", { currency, account: accountName(head).toLowerCase() });
}

/** One line of text, with letters and their marks joined, for which the font has one glyph. */
function clean(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "");
}

type Document = InstanceType<typeof PDFDocument>;

interface PdfColumn {
  readonly label: Phrase | "";
  /** Share of the width. */
  readonly share: number;
  readonly isNumeric?: boolean;
}

const COLUMNS: readonly PdfColumn[] = [
  { label: "Booked", share: 0.16 },
  { label: "Movement", share: 0.23 },
  { label: "References", share: 0.24 },
  { label: "Amount", share: 0.18, isNumeric: true },
  { label: "Balance", share: 0.19, isNumeric: true },
];

const BALANCES: readonly PdfColumn[] = [
  { label: "", share: 0.6 },
  { label: "", share: 0.4, isNumeric: true },
];

const TOTALS: readonly PdfColumn[] = [
  { label: "Movements", share: 0.4 },
  { label: "Number", share: 0.12, isNumeric: true },
  { label: "In", share: 0.24, isNumeric: true },
  { label: "Out", share: 0.24, isNumeric: true },
];

/** Writes from the top down. */
function createWriter(document: Document, head: StatementHead) {
  const { currency, timeZone, language } = head;
  const labelsOf = (columns: readonly PdfColumn[]) =>
    columns.map(({ label }) => (label === "" ? "" : say(language, label as "Booked")));
  const width = document.page.width - 2 * MARGIN;
  const bottom = document.page.height - MARGIN - 20;
  let isFullyCovered = true;
  let y = MARGIN;

  function covered(text: string): string {
    const shown = clean(text);
    if (!COVERED.test(shown) || PICTURES.test(shown)) isFullyCovered = false;
    return shown;
  }

  function textHeight(cell: string, room: number): number {
    return document.heightOfString(cell, { width: room });
  }

  /** At the right of its column, in one piece: a sum that is broken in two is easily read as two. */
  function figure(cell: string, x: number, room: number): void {
    const size = Math.min(SIZE, (SIZE * room) / document.fontSize(SIZE).widthOfString(cell));
    const start = x + room - document.fontSize(size).widthOfString(cell);
    document.text(cell, start, y + PADDING, { lineBreak: false }).fontSize(SIZE);
  }

  function row(columns: readonly PdfColumn[], cells: readonly string[], look: "text" | "bold" | "header"): void {
    document.font(look === "text" ? "text" : "bold", SIZE).fillColor(look === "header" ? SOFT : INK);
    const widths = columns.map(({ share }) => share * width - PADDING);
    const heights = cells.map((cell, n) => (columns[n]?.isNumeric ? SIZE : textHeight(cell, widths[n] ?? 0)));
    const height = Math.max(...heights) + 2 * PADDING;
    if (y + height > bottom) {
      document.addPage();
      y = MARGIN;
      if (look !== "header") row(columns, labelsOf(columns), "header");
      document.font(look === "text" ? "text" : "bold", SIZE).fillColor(INK);
    }
    let x = MARGIN;
    for (const [n, { share, isNumeric }] of columns.entries()) {
      const [cell, room] = [cells[n] ?? "", widths[n] ?? 0];
      if (isNumeric) figure(cell, x, room);
      else document.text(cell, x, y + PADDING, { width: room });
      x += share * width;
    }
    y += height;
    document
      .strokeColor(LINE)
      .lineWidth(0.5)
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + width, y)
      .stroke();
  }

  function text(content: string, size: number, look: "text" | "bold" = "text", color = INK): void {
    document.font(look, size).fillColor(color).text(content, MARGIN, y, { width });
    y = document.y + PADDING;
  }

  const money = (amount: bigint) => localSum(language, toReadableString(amount, currency));
  const counted = (count: number) => count.toLocaleString(LOCALES[language]);

  return {
    /** Whose account, which period, and what it came to. */
    head(): void {
      const { merchant, account, environment, from, to, createdAt, opening, closing, kinds, total } = head;
      text(covered(merchant.name), 16, "bold");
      const isTest = environment === "test";
      text(`${titleOf(head)}${isTest ? say(language, " (test environment: no real money)") : ""}`, 11);
      const lastDay = dayAt(new Date(Math.max(to.getTime() - 1, from.getTime())), timeZone);
      const period = { from: dayAt(from, timeZone), to: lastDay, zone: timeZone };
      text(say(language, "{from} to {to}, times in {zone}", period), 9, "text", SOFT);
      const written = {
        currency,
        account: wordIn(language, account),
        merchant: merchant.id,
        time: momentText(createdAt, timeZone),
      };
      text(say(language, "Account {currency} {account}, {merchant}. Written {time}.", written), 9, "text", SOFT);
      y += 2 * PADDING;
      row(BALANCES, [say(language, "Opening balance, {currency}", { currency }), money(opening)], "bold");
      row(TOTALS, labelsOf(TOTALS), "header");
      for (const kind of kinds) {
        const number = counted(kind.creditCount + kind.debitCount);
        row(TOTALS, [movementWords(kind.reason, language), number, money(kind.credited), money(kind.debited)], "text");
      }
      row(
        TOTALS,
        [say(language, "Total"), counted(countOf(head)), money(total.credited), money(total.debited)],
        "bold",
      );
      row(BALANCES, [say(language, "Closing balance, {currency}", { currency }), money(closing)], "bold");
      y += 4 * PADDING;
      if (countOf(head) > 0) row(COLUMNS, labelsOf(COLUMNS), "header");
    },

    line({ at, reason, names, amount, balance, intentId }: AccountLine): void {
      const { counterparty, merchantReference, providerReference } = names;
      const references = [
        merchantReference ?? intentId ?? "",
        providerReference && say(language, "Provider: {reference}", { reference: providerReference }),
      ];
      const cells = [
        momentText(at, timeZone),
        [movementWords(reason, language), covered(counterparty ?? "")].filter((part) => part !== "").join("\n"),
        references.flatMap((part) => (part ? covered(part) : [])).join("\n"),
        `${amount < 0n ? "−" : "+"}${money(amount < 0n ? -amount : amount)}`,
        money(balance),
      ];
      row(COLUMNS, cells, "text");
    },

    /** The notes, and the number of every page. */
    end(): void {
      if (!isFullyCovered) {
        if (y + 30 > bottom) {
          document.addPage();
          y = MARGIN;
        }
        y += PADDING;
        text(
          say(language, "Some names have letters that this document cannot show. The CSV file has them in full."),
          SIZE,
          "text",
          SOFT,
        );
      }
      const { start, count } = document.bufferedPageRange();
      for (let n = start; n < start + count; n += 1) {
        document.switchToPage(n);
        // Below the margin, where text would otherwise begin another page.
        document.page.margins.bottom = 0;
        const place = { width, align: "right", lineBreak: false } as const;
        const words = say(language, "Page {page} of {pages}", { page: `${n - start + 1}`, pages: `${count}` });
        document
          .font("text", SIZE)
          .fillColor(SOFT)
          .text(words, MARGIN, document.page.height - MARGIN, place);
      }
    },
  };
}

/** "2026-11-21 09:05": the same in every language. */
function momentText(at: Date, zone: string): string {
  const { hour, minute } = wallClock(at.getTime(), zone);
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${dayAt(at, zone)} ${pad(hour)}:${pad(minute)}`;
}
