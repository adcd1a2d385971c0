// Announces a completed action in a line at the edge of the page, which disappears after a time or when dismissed.
"use client";
import { CircleCheck, X } from "lucide-react";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useTexts } from "../i18n/use-texts";

const SHOWN_FOR_MS = 8_000;
const Announce = createContext<(text: string) => void>(() => undefined);

/** Announces a sentence to the reader. */
export function useAnnounce(): (text: string) => void {
  return useContext(Announce);
}

/** Shows one announcement at a time; a new one replaces it. */
export function Announcer({ children }: { readonly children: ReactNode }) {
  const texts = useTexts();
  const [said, setSaid] = useState({ text: "", count: 0 });
  const announce = (text: string) => setSaid(({ count }) => ({ text, count: count + 1 }));
  useEffect(() => {
    if (said.text === "") return;
    const timer = setTimeout(() => setSaid({ text: "", count: said.count }), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);

  return (
    <Announce value={announce}>
      {children}
      <output
        aria-live="polite"
        // On the left, away from the buttons of rows and panels, and above a bar at the lower edge.
        className="pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--bottom-bar,0px))] z-40 grid justify-items-center sm:right-auto sm:left-6 xl:left-66"
      >
        {said.text === "" ? null : (
          <span className="pointer-events-auto flex max-w-md items-start gap-2.5 rounded-md bg-ink px-4 py-3 text-sm text-canvas shadow-raised">
            <CircleCheck className="mt-0.5 size-4.5 shrink-0" aria-hidden="true" />
            {said.text}
            <button
              type="button"
              aria-label={texts("common.dismiss")}
              onClick={() => announce("")}
              className="-my-1 -mr-2 grid size-7 shrink-0 place-items-center rounded-sm focus-visible:outline-canvas"
            >
              <X className="size-4" aria-hidden="true" />
            </button>
          </span>
        )}
      </output>
    </Announce>
  );
}
