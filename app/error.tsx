// Replaces a page that could not be rendered. The error is in the log, not here. Nothing of that page, such as its catalogue, is
// there; the document brings the texts in its language, so that no page loads them in all three. React
// renders what replaces a failed page in browsers only.
"use client";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

interface ErrorPageProps {
  readonly reset: () => void;
}

const neverAgain = () => () => {};
const textsOfDocument = () => document.body.dataset.failed ?? "";

export default function ErrorPage({ reset }: ErrorPageProps) {
  // A page that failed before its document was sent gets that document together with this page: React reads it again once it
  // is there.
  const [title, why, again] = useSyncExternalStore(neverAgain, textsOfDocument, () => "").split("\n");
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-5">
      <h1 className="text-xl">{title}</h1>
      <p className="text-ink-soft">{why}</p>
      <Button onClick={reset}>{again}</Button>
    </main>
  );
}
