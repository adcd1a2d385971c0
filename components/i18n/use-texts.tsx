// The texts of a page, for its components: the ones of the frame, and those of the page itself.
"use client";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { type CompiledTexts, createTexts, type Texts } from "./dashboard-texts";

interface Given {
  readonly language: DashboardLanguage;
  readonly messages: CompiledTexts;
}

interface Known extends Given {
  readonly texts: Texts;
}

const KnownTexts = createContext<Known | null>(null);

interface TextsProviderProps extends Given {
  readonly children: ReactNode;
}

/** Adds areas to those that the components around it have. */
export function TextsProvider({ language, messages, children }: TextsProviderProps) {
  const outer = useContext(KnownTexts);
  const known = useMemo(() => {
    const all = outer?.language === language ? { ...outer.messages, ...messages } : messages;
    return { language, messages: all, texts: createTexts(language, all) };
  }, [outer, language, messages]);
  // The document has the language of its first answer, and its reader may have chosen another since.
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return <KnownTexts value={known}>{children}</KnownTexts>;
}

/** The texts in the reader's language. */
export function useTexts(): Texts {
  const known = useContext(KnownTexts);
  if (!known) throw new Error("texts need a page that gives them");
  return known.texts;
}
