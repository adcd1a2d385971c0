// Polls the service until the payment has ended, and announces changes.
"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { PayerState } from "@/server/contract/payer";

const ASK_EVERY_MS = 3_000;
/** Maximum interval after failures. */
const ASK_AT_LEAST_EVERY_MS = 30_000;

interface LiveUpdatesProps {
  readonly id: string;
  readonly revision: number;
  readonly isEnded: boolean;
  /** The text that announces a change. */
  readonly title: string;
  /** The heading that receives the focus if a change removes the focused element. */
  readonly headingId: string;
}

async function askState(id: string): Promise<PayerState> {
  const answer = await fetch(`/pay/${id}/state`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the state was answered with ${answer.status}`);
  return (await answer.json()) as PayerState;
}

/** Polls until the returned function is called. Pauses while the page is hidden; polls at once when it is shown again. */
function keepAsking(id: string, onState: (state: PayerState) => void): () => void {
  let wait = ASK_EVERY_MS;
  let isStopped = false;
  let isAsking = false;
  let timer = setTimeout(ask, wait);

  function ask(): void {
    clearTimeout(timer);
    if (document.hidden || isAsking) return;
    isAsking = true;
    askState(id)
      .then((state) => {
        wait = ASK_EVERY_MS;
        if (!isStopped) onState(state);
      })
      .catch(() => {
        wait = Math.min(wait * 2, ASK_AT_LEAST_EVERY_MS);
      })
      .finally(() => {
        isAsking = false;
        if (!isStopped) timer = setTimeout(ask, wait);
      });
  }

  document.addEventListener("visibilitychange", ask);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", ask);
  };
}

/** Renders nothing. The server renders a change in place, and screen readers announce it. */
export function LiveUpdates({ id, revision, isEnded, title, headingId }: LiveUpdatesProps) {
  const router = useRouter();
  const seen = useRef(revision);
  const [announcement, setAnnouncement] = useState("");

  useEffect(() => {
    if (isEnded) return;
    return keepAsking(id, (state) => {
      if (state.revision !== revision) router.refresh();
    });
  }, [id, revision, isEnded, router]);

  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    setAnnouncement(title);
    if (document.activeElement === document.body) document.getElementById(headingId)?.focus();
  }, [revision, title, headingId]);

  return <output className="sr-only">{announcement}</output>;
}
