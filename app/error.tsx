// Replaces a page that could not be rendered. The error is in the log, not here. Nothing else of the page can be relied on, so
// it has its texts itself, in the language that the document names.
"use client";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { type DashboardLanguage, findDashboardLanguage } from "@/server/domain/dashboard-languages";

interface ErrorPageProps {
  readonly reset: () => void;
}

const TEXTS: Readonly<Record<DashboardLanguage, Readonly<Record<"title" | "why" | "again", string>>>> = {
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

const isFixed = () => () => undefined;

export default function ErrorPage({ reset }: ErrorPageProps) {
  const tag = useSyncExternalStore(
    isFixed,
    () => document.documentElement.lang,
    () => "en",
  );
  const texts = TEXTS[findDashboardLanguage(tag) ?? "en"];
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-5">
      <h1 className="text-xl">{texts.title}</h1>
      <p className="text-ink-soft">{texts.why}</p>
      <Button onClick={reset}>{texts.again}</Button>
    </main>
  );
}
