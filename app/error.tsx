// Replaces a page that could not be rendered. The error is in the log, not here.
"use client";
import { Button } from "@/components/ui/button";

interface ErrorPageProps {
  readonly reset: () => void;
}

export default function ErrorPage({ reset }: ErrorPageProps) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center justify-items-start gap-4 px-5">
      <h1 className="text-xl">This page cannot be shown right now</h1>
      <p className="text-ink-soft">Nothing has been changed. Please try again in a moment.</p>
      <Button onClick={reset}>Try again</Button>
    </main>
  );
}
