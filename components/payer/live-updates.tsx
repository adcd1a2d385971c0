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

async function fetchState(id: string): Promise<PayerState> {
  const answer = await fetch(`/pay/${id}/state`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the state was answered with ${answer.status}`);
  return (await answer.json()) as PayerState;
}

/** Polls until the returned function is called. Pauses while the page is hidden; polls at once when it is shown again. */
function keepPolling(id: string, onState: (state: PayerState) => void): () => void {
  let wait = ASK_EVERY_MS;
  let isStopped = false;
  let isPolling = false;
  let timer = setTimeout(poll, wait);

  function poll(): void {
    clearTimeout(timer);
    if (document.hidden || isPolling) return;
    isPolling = true;
    fetchState(id)
      .then((state) => {
        wait = ASK_EVERY_MS;
        if (!isStopped) onState(state);
      })
      .catch(() => {
        wait = Math.min(wait * 2, ASK_AT_LEAST_EVERY_MS);
      })
      .finally(() => {
        isPolling = false;
        if (!isStopped) timer = setTimeout(poll, wait);
      });
  }

  document.addEventListener("visibilitychange", poll);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", poll);
  };
}

/** Renders nothing. The server renders a change in place, and screen readers announce it. */
export function LiveUpdates({ id, revision, isEnded, title, headingId }: LiveUpdatesProps) {
  const router = useRouter();
  const seen = useRef(revision);
  const [announcement, setAnnouncement] = useState("");

  useEffect(() => {
    if (isEnded) return;
    return keepPolling(id, (state) => {
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
