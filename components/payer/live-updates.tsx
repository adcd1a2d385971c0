// Owns keeping the page up to date: asks for news until the payment has ended, and says when there is some.
"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import type { PayerState } from "@/server/contract/payer";

const ASK_EVERY_MS = 3_000;
/** After failures the page asks less often, up to this. */
const ASK_AT_LEAST_EVERY_MS = 30_000;

interface LiveUpdatesProps {
  readonly id: string;
  readonly revision: number;
  readonly isEnded: boolean;
  /** What a change is announced with. */
  readonly title: string;
  /** The heading that takes the focus when a change removes what had it. */
  readonly headingId: string;
}

async function askState(id: string): Promise<PayerState> {
  const answer = await fetch(`/pay/${id}/state`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the state was answered with ${answer.status}`);
  return (await answer.json()) as PayerState;
}

/** Asks until the returned function is called; not while nobody looks, and at once when somebody does again. */
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

/** Shows nothing; a change is rendered by the server, in place, and read out. */
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
