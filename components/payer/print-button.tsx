"use client";
import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { useHydrated } from "../time/use-hydrated";
import { Button } from "../ui/button";

/** Opens the browser's own dialog, which can also save a PDF; absent without scripts. */
export function PrintButton({ children }: { readonly children: ReactNode }) {
  if (!useHydrated()) return null;
  return (
    <Button className="justify-self-start print:hidden" size="medium" onClick={() => window.print()}>
      <Printer className="size-4" aria-hidden="true" />
      {children}
    </Button>
  );
}
