// Signing in again in a second window, to confirm one act of the first. The windows share no reference, because the
// provider's pages are of another origin; they talk over a channel of our own origin.

export type FreshOutcome = "done" | "refused";

interface Message {
  /** Which window asked. */
  readonly attempt: string;
  /** The proof; of no use before the outcome is `done`, or outside the session. */
  readonly id: string;
  readonly outcome: FreshOutcome;
}

const CHANNEL = "sluice.fresh-sign-in";
/** Of the second window: survives its way to the provider and back. */
const KEY = "sluice.fresh-sign-in";
const WINDOW = "popup,width=480,height=680";

/** Opens the second window. Calls `onEnd` with the proof, or null if the provider's answer was refused. */
export function openFreshSignIn(onEnd: (id: string | null) => void): () => void {
  const attempt = crypto.randomUUID();
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.attempt !== attempt) return;
    channel.close();
    onEnd(data.outcome === "done" ? data.id : null);
  };
  window.open(`/sign-in/again?attempt=${attempt}`, `sign-in-again-${attempt}`, WINDOW);
  return () => channel.close();
}

/** In the second window: goes to the provider, which must ask for the credentials again. */
export async function beginFreshSignIn(attempt: string): Promise<void> {
  const answer = await fetch("/api/fresh-sign-in", { method: "POST" });
  if (!answer.ok) throw new Error(`the fresh sign-in was answered with ${answer.status}`);
  const { id } = (await answer.json()) as { id: string };
  sessionStorage.setItem(KEY, JSON.stringify({ attempt, id }));
  // Loaded here: the first window needs the rest of this file only, on every page.
  const { signIn } = await import("next-auth/react");
  await signIn("openid", { callbackUrl: "/sign-in/again" }, { max_age: "0" });
}

/** In the second window, after the provider: tells the first one. Returns false if this window has not begun it. */
export function endFreshSignIn(outcome: FreshOutcome): boolean {
  const stored = sessionStorage.getItem(KEY);
  if (stored === null) return false;
  sessionStorage.removeItem(KEY);
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ ...(JSON.parse(stored) as Pick<Message, "attempt" | "id">), outcome });
  channel.close();
  return true;
}
