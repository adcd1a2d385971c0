// How texts of the dashboard are typed and filled in. The catalogues are compiled on the server; browser and server fill
// in the same compiled messages, by a formatter of less than 1 KB.
import type { GetICUArgs } from "@schummar/icu-type-parser";
import { type CompiledMessage, default as format } from "icu-minify/format";
import { createElement, Fragment, type ReactNode } from "react";
import { type DashboardLanguage, LOCALES } from "@/server/domain/dashboard-languages";
import type { Catalogue } from "./dashboard/en";

/** A part of the catalogue. A page gets only those that it shows. */
export type Area = keyof Catalogue;

/** "payouts.approve": an area, and a text of it. */
export type TextKey = { [A in Area]: `${A}.${keyof Catalogue[A] & string}` }[Area];

type Message<K> = K extends `${infer A extends Area}.${infer N}`
  ? N extends keyof Catalogue[A]
    ? Catalogue[A][N]
    : never
  : never;

interface Arguments {
  ICUArgument: string | number;
  ICUNumberArgument: number;
  ICUDateArgument: Date;
}

type TagsOf<T> = T extends `${string}</${infer Tag}>${infer Rest}` ? Tag | TagsOf<Rest> : never;
type ArgumentsOf<T> = T extends string ? GetICUArgs<T, Arguments> : never;
type Values<T> = keyof ArgumentsOf<T> extends never ? [] : [values: ArgumentsOf<T>];
type RichValues<T> = ArgumentsOf<T> & { readonly [Tag in TagsOf<T>]: (words: ReactNode) => ReactNode };

/** The messages of some areas in one language, compiled. */
export type CompiledTexts = { readonly [A in Area]?: Readonly<Record<string, CompiledMessage>> };

export interface Texts {
  /** The text with its values filled in. */
  <K extends TextKey>(key: K, ...values: Values<Message<K>>): string;
  /** The text with elements around its tagged words: `<strong>…</strong>`, or in the place of empty tags. */
  readonly rich: <K extends TextKey>(key: K, values: RichValues<Message<K>>) => ReactNode;
  /** A whole number with the language's separators. */
  readonly number: (value: number) => string;
  readonly language: DashboardLanguage;
}

type Tagged = (words: ReactNode) => ReactNode;
type AnyValues = Readonly<Record<string, string | number | Date | Tagged>>;

const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
};

/** Parts as one node, which need no keys. */
function joined(parts: ReactNode): ReactNode {
  return Array.isArray(parts) ? createElement(Fragment, null, ...(parts as readonly ReactNode[])) : parts;
}

/** The texts of a language. A key without a text throws: a page with a hole must not be shown. */
export function createTexts(language: DashboardLanguage, messages: CompiledTexts): Texts {
  const locale = LOCALES[language];

  function messageOf(key: string): CompiledMessage {
    const dot = key.indexOf(".");
    const message = messages[key.slice(0, dot) as Area]?.[key.slice(dot + 1)];
    if (message === undefined) throw new Error(`no text ${key} in ${language} on this page`);
    return message;
  }

  function texts(key: string, values?: AnyValues): string {
    return String(format(messageOf(key), locale, values as Record<string, string>, { formatters }));
  }

  function rich(key: string, values: AnyValues): ReactNode {
    const wrapped = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "function" ? (words: ReactNode) => value(joined(words)) : value,
    ]);
    return joined(
      format<ReactNode>(messageOf(key), locale, Object.fromEntries(wrapped) as Record<string, string>, {
        formatters,
      }) as ReactNode,
    );
  }

  const number = (value: number) => formatters.getNumberFormat(locale).format(value);
  return Object.assign(texts, { rich, number, language }) as Texts;
}
