// The columns of a CSV file in the reader's language. In English a file has the names and codes of the API alone; in other
// languages each column has a name for people, and codes stay in columns of their own under their English name.
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { COLUMNS, IN_MINOR_UNITS } from "@/server/domain/texts/columns";
import { Phrasebook } from "@/server/domain/texts/sentence";
import { MOVEMENTS, STATEMENTS } from "@/server/domain/texts/statements";
import { translate, wordIn } from "@/server/domain/texts/translate";
import type { Lines } from "./page-reader";

const names = new Phrasebook(COLUMNS, (_, text) => text);
const minorUnits = new Phrasebook(IN_MINOR_UNITS, (_, text) => text);
const movements = new Phrasebook([...MOVEMENTS, ...STATEMENTS], (_, text) => text);

type Cell = (language: DashboardLanguage, cell: string) => string;

/** Columns of codes: beside them, other languages get their words. */
const CODES: Readonly<Record<string, Cell>> = {
  status: wordIn,
  verdict: wordIn,
  kind: wordIn,
  environment: wordIn,
  country: countryIn,
};

/** Columns of the service's sentences. */
const SENTENCES: Readonly<Record<string, Cell>> = {
  movement: (language, cell) => movements.find(language, cell) ?? cell,
  explanation: translate,
  failure_message: translate,
};

function countryIn(language: DashboardLanguage, code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code) : code;
}

function nameIn(language: DashboardLanguage, column: string): string {
  const [, sum] = /^(.+)_minor_units$/.exec(column) ?? [];
  if (sum === undefined) return names.find(language, column) ?? column;
  return minorUnits.say(language, "{column}_minor_units", { column: names.find(language, sum) ?? sum });
}

/** The rows with the columns of the language: its names, its sentences, and words beside codes. */
export function inReadersColumns(language: DashboardLanguage, { columns, rows }: Lines): Lines {
  if (language === "en") return { columns, rows };
  const isCode = columns.map((column) => Object.hasOwn(CODES, column));
  return {
    columns: columns.flatMap((column, at) => {
      const name = nameIn(language, column);
      return isCode[at] ? [column, name] : [name];
    }),
    rows: rows.map((row) =>
      row.flatMap((cell, at) => {
        const column = columns[at] ?? "";
        if (isCode[at]) return [cell, CODES[column]?.(language, cell) ?? cell];
        return [Object.hasOwn(SENTENCES, column) ? (SENTENCES[column]?.(language, cell) ?? cell) : cell];
      }),
    ),
  };
}
