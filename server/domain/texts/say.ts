// Sentences that the service puts together itself, in the language of who reads them.
import type { DashboardLanguage } from "../dashboard-languages";
import { MAILS } from "./mails";
import { NOTICES } from "./notices";
import { Phrasebook } from "./sentence";
import { STATEMENTS } from "./statements";

const PROSE = [...NOTICES, ...MAILS, ...STATEMENTS] as const;

export type Phrase = (typeof PROSE)[number][0];

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Values<Text> = [NamesIn<Text>] extends [never] ? [] : [values: { readonly [Name in NamesIn<Text>]: string }];

const book = new Phrasebook(PROSE, (_, text) => text);

/** The sentence with that English text, in the language, with its values. */
export function say<const Text extends Phrase>(
  language: DashboardLanguage,
  text: Text,
  ...values: Values<Text>
): string {
  return book.say(language, text, values[0]);
}
