// The texts of the page that replaces one which could not be rendered: nothing of that page, such as its catalogue, is there.
import { type DashboardLanguage, findDashboardLanguage } from "@/server/domain/dashboard-languages";

type ErrorPageTexts = Readonly<Record<"title" | "why" | "again", string>>;

const TEXTS: Readonly<Record<DashboardLanguage, ErrorPageTexts>> = {
  en: {
    title: "This page cannot be shown right now",
    why: "Nothing has been changed. Please try again in a moment.",
    again: "Try again",
  },
  "pt-BR": {
    title: "Não é possível mostrar esta página agora",
    why: "Nada foi alterado. Tente de novo em instantes.",
    again: "Tentar de novo",
  },
  es: {
    title: "Esta página no se puede mostrar ahora",
    why: "No se cambió nada. Inténtelo de nuevo en un momento.",
    again: "Intentar de nuevo",
  },
};

/** The texts in the language with that tag; English for any other. */
export function errorPageTexts(tag: string): ErrorPageTexts {
  return TEXTS[findDashboardLanguage(tag) ?? "en"];
}
