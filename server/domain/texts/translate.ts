// English texts of the service in the reader's language.
import type { DashboardLanguage } from "../dashboard-languages";
import { COMPLAINTS } from "./complaints";
import { COMPLAINTS_OF_MONEY } from "./complaints-of-money";
import { COMPLAINTS_OF_OBJECTS } from "./complaints-of-objects";
import { DELIVERIES } from "./deliveries";
import { FINDINGS } from "./findings";
import { FINDINGS_OF_ADAPTERS } from "./findings-adapters";
import { REJECTIONS } from "./rejections";
import { REJECTIONS_OF_PAYOUTS } from "./rejections-payouts";
import { REJECTIONS_ABOUT_PEOPLE } from "./rejections-people";
import { Phrasebook, type Sentences } from "./sentence";
import { FIELDS, WORDS } from "./words";

/** Longer texts are none of ours. */
const LONGEST = 2_000;

/** A complaint with the field that it is about. */
const COMPLAINT = /^(line \d+(?:, column \w+)?:|the file|[\w.[\]-]+) (.+)$/s;
const PLACE = /^line (\d+)(?:, column (\w+))?:$/;

const PLACES: Sentences = [
  ["line {row}", "linha {row}", "línea {row}"],
  ["line {row}, column {column}", "linha {row}, coluna {column}", "línea {row}, columna {column}"],
];

const OR: Readonly<Record<DashboardLanguage, string>> = { en: " or ", "pt-BR": " ou ", es: " o " };

const words = new Phrasebook([...WORDS, ...FIELDS], (_, text) => text);
const places = new Phrasebook(PLACES, (_, text) => text);

/** A word, or several with "or" or commas between them; unknown ones as they are. */
function wordsIn(language: DashboardLanguage, text: string): string {
  const known = words.find(language, text) ?? sentences.find(language, text) ?? complaints.find(language, text);
  if (known !== null) return known;
  const each = (parts: readonly string[]) => parts.map((part) => words.find(language, part) ?? part);
  if (text.includes(" or ")) return each(text.split(" or ")).join(OR[language]);
  return each(text.split(", ")).join(", ");
}

export const ALL_SENTENCES: Sentences = [
  ...REJECTIONS,
  ...REJECTIONS_ABOUT_PEOPLE,
  ...REJECTIONS_OF_PAYOUTS,
  ...DELIVERIES,
  ...FINDINGS,
  ...FINDINGS_OF_ADAPTERS,
];

export const ALL_COMPLAINTS: Sentences = [...COMPLAINTS, ...COMPLAINTS_OF_OBJECTS, ...COMPLAINTS_OF_MONEY];

const sentences = new Phrasebook(ALL_SENTENCES, wordsIn);
const complaints = new Phrasebook(ALL_COMPLAINTS, wordsIn);

function fieldIn(language: DashboardLanguage, field: string): string {
  const place = PLACE.exec(field);
  const [, row = "", column] = place ?? [];
  if (place && column !== undefined)
    return capital(places.say(language, "line {row}, column {column}", { row, column }));
  if (place) return capital(places.say(language, "line {row}", { row }));
  const known = words.find(language, field);
  return known === null ? field : capital(known);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A complaint about a field, "amount must be positive", as "Valor: deve ser positivo"; null for any other text. */
function complaintIn(language: DashboardLanguage, text: string): string | null {
  const [, field = "", rest = ""] = COMPLAINT.exec(text) ?? [];
  const complaint = rest === "" ? null : complaints.find(language, rest);
  return complaint === null ? null : `${fieldIn(language, field)}: ${complaint}`;
}

/** True for a text that has a translation. */
export function isTranslated(text: string): boolean {
  return sentences.find("es", text) !== null || complaintIn("es", text) !== null;
}

/**
 * The service's English text in the language, with its values. A text that is none of ours, such as a provider's or a
 * person's, stays as it is.
 */
export function translate(language: DashboardLanguage, text: string): string {
  if (language === "en" || text.length > LONGEST) return text;
  return sentences.find(language, text) ?? complaintIn(language, text) ?? text;
}

/** A word of the service, such as a role or a state, in the language; an unknown one as it is. */
export function wordIn(language: DashboardLanguage, word: string): string {
  return language === "en" ? word : wordsIn(language, word);
}
