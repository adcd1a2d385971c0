// The texts of pages in the reader's language. The catalogues stay on the server: the browser gets finished texts.
import { createTranslator } from "use-intl/core";
import type { PayerLanguage } from "@/server/contract/languages";
import ar from "./messages/ar.json";
import en from "./messages/en.json";
import es from "./messages/es.json";
import id from "./messages/id.json";
import ja from "./messages/ja.json";
import ko from "./messages/ko.json";
import ptBR from "./messages/pt-BR.json";
import th from "./messages/th.json";
import vi from "./messages/vi.json";

export const CATALOGUES: Readonly<Record<PayerLanguage, typeof en>> = {
  en,
  "pt-BR": ptBR,
  es,
  id,
  th,
  vi,
  ja,
  ko,
  ar,
};

/** The payer's page. A key without a text throws: a page with a hole must not be shown. */
export function payerTexts(language: PayerLanguage) {
  return createTranslator({
    locale: language,
    messages: CATALOGUES[language],
    namespace: "payer",
    onError(error) {
      throw error;
    },
  });
}

export type PayerTexts = ReturnType<typeof payerTexts>;
