// Replaces a page that could not be rendered, in the language that its document names. The error is in the log, not here.
"use client";
import { useSyncExternalStore } from "react";
import { errorPageTexts } from "@/components/i18n/error-page-texts";
import { Button } from "@/components/ui/button";

interface ErrorPageProps {
  readonly reset: () => void;
}

const isFixed = () => () => undefined;

export default function ErrorPage({ reset }: ErrorPageProps) {
  const tag = useSyncExternalStore(
    isFixed,
    () => document.documentElement.lang,
    () => "en",
  );
  const texts = errorPageTexts(tag);
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-5">
      <h1 className="text-xl">{texts.title}</h1>
      <p className="text-ink-soft">{texts.why}</p>
      <Button onClick={reset}>{texts.again}</Button>
    </main>
  );
}
