// The texts of pages outside the payer's: which language, which of them the browser gets, and the titles.
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { compiledTexts, dashboardTexts } from "@/components/i18n/catalogues";
import type { Area, TextKey, Texts } from "@/components/i18n/dashboard-texts";
import { TextsProvider } from "@/components/i18n/use-texts";
import { pageLanguage } from "@/server/auth/page-language";

/** All texts in the language of this request, for what the server renders. */
export async function pageTexts(): Promise<Texts> {
  return dashboardTexts(await pageLanguage());
}

interface PageTextsProps {
  /** The areas that components of the browser use. A test compares them with what they import. */
  readonly areas: readonly Area[];
  readonly children: ReactNode;
}

/** Gives the browser's components of a page their texts, in the reader's language only. */
export async function PageTexts({ areas, children }: PageTextsProps) {
  const language = await pageLanguage();
  return (
    <TextsProvider language={language} messages={compiledTexts(language, areas)}>
      {children}
    </TextsProvider>
  );
}

/** The metadata of a page with that title. */
export function titled(key: TextKey & `pages.${string}`, more: Metadata = {}): () => Promise<Metadata> {
  return async () => {
    const texts = await pageTexts();
    return { title: texts(key), ...more };
  };
}
