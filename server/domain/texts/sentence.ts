// Sentences of the service in the languages of the dashboard. English is the source: code throws and stores it, and REST
// answers with it. A sentence is found again by its English pattern, so what earlier releases have stored is translated too.
import type { DashboardLanguage } from "../dashboard-languages";
import { localSum } from "../local-sum";

/**
 * English, Brazilian Portuguese, Spanish. `{name}` stands for a value, which is copied; `{name:words}` is one that has a
 * translation of its own where it is known, and `{name:sum}` an amount.
 */
export type Sentences = readonly Sentence[];

export type Sentence = readonly [english: string, portuguese: string, spanish: string];

type Value = (language: DashboardLanguage, text: string) => string;

const HOLE = /\{(\w+)(?::(words|sum))?\}/g;

/** The place of a language in a sentence. */
const PLACES: Readonly<Record<DashboardLanguage, 0 | 1 | 2>> = { en: 0, "pt-BR": 1, es: 2 };

interface Pattern {
  /** What stands around and between the values. */
  readonly literals: readonly string[];
  readonly holes: readonly { readonly name: string; readonly kind: string | undefined }[];
  readonly sentence: Sentence;
  /** How many characters are no value. */
  readonly weight: number;
}

function patternOf(sentence: Sentence): Pattern {
  const [english] = sentence;
  const holes = [...english.matchAll(HOLE)].map(([, name = "", kind]) => ({ name, kind }));
  const literals = english.split(/\{[^}]*\}/);
  return { literals, holes, sentence, weight: literals.join("").length };
}

/**
 * The values between the literals, each as short as it can be and none empty; null if the text is another one. Texts hold what
 * strangers wrote, so this never goes back, as a regular expression would: its time grows with the text only.
 */
function valuesBetween([first = "", ...others]: readonly string[], text: string): string[] | null {
  const last = others.pop() ?? "";
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const literal of others) {
    const next = text.indexOf(literal, at + 1);
    if (next < 0) return null;
    values.push(text.slice(at, next));
    at = next + literal.length;
  }
  return at < end ? [...values, text.slice(at, end)] : null;
}

/** The text with its values filled in; what a sentence does not name stays out. */
function fillIn(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(HOLE, (hole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? "") : hole));
}

/** A list of sentences, compiled: finds the one that a text is, and gives it in a language. */
export class Phrasebook {
  private readonly exact: ReadonlyMap<string, Sentence>;
  /** Those with values: the one with most words of its own first. */
  private readonly patterns: readonly Pattern[];

  constructor(
    sentences: Sentences,
    private readonly wordsOf: Value,
  ) {
    this.exact = new Map(sentences.map((sentence) => [sentence[0], sentence]));
    this.patterns = sentences
      .filter(([english]) => english.includes("{"))
      .map(patternOf)
      .sort((one, other) => other.weight - one.weight);
  }

  /** The text in the language; null if it is none of the sentences. */
  find(language: DashboardLanguage, text: string): string | null {
    const known = this.exact.get(text);
    if (known) return known[PLACES[language]];
    for (const { literals, holes, sentence } of this.patterns) {
      const found = valuesBetween(literals, text);
      if (!found) continue;
      const values = holes.map(({ name, kind }, at) => {
        const value = found[at] ?? "";
        if (kind === "sum") return [name, localSum(language, value)];
        return [name, kind === "words" ? this.wordsOf(language, value) : value];
      });
      return fillIn(sentence[PLACES[language]], Object.fromEntries(values) as Record<string, string>);
    }
    return null;
  }

  /** The sentence with that English text, in the language. Throws for one that is not in the book. */
  say(language: DashboardLanguage, english: string, values: Readonly<Record<string, string>> = {}): string {
    const sentence = this.exact.get(english);
    if (!sentence) throw new Error(`no sentence: ${english}`);
    return fillIn(sentence[PLACES[language]], values);
  }
}
