// The API client of a merchant of a history: it sends each request until its answer is definite, under one Idempotency-Key.
import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { type Answer, type Call, call } from "../api-call";
import { type Books, noteAnswer, type Request } from "./books";
import type { Stage } from "./stage";

const RETRY_MS = 20;

/** How long a client tries before it puts a request aside, in ms: for a moment, or until nothing of ours can take longer. */
export const PATIENCE_MS = { little: 400, much: 60_000 };

/** Calls until the answer is definite. Returns null if it is not within that time, in ms. */
export async function settle(stage: Stage, key: CreatedKey, what: Call, patienceMs: number): Promise<Answer | null> {
  let wasRefused = false;
  for (const end = performance.now() + patienceMs; ; await sleep(RETRY_MS)) {
    const answer = await call(key, what);
    const isInProgress = answer.status === 409 && answer.text.includes("still in progress");
    if (answer.status !== 503 && !isInProgress) {
      if (wasRefused) stage.count("answers after a refusal");
      return answer;
    }
    if (!wasRefused) stage.count("refusals");
    wasRefused = true;
    if (performance.now() > end) return null;
  }
}

/** Sends a request. Without a definite answer it stays open, to be sent again. */
export async function send(stage: Stage, books: Books, request: Request, patienceMs: number): Promise<void> {
  books.open.push(request);
  await sendOpen(stage, books, request, patienceMs);
}

async function sendOpen(stage: Stage, books: Books, request: Request, patienceMs: number): Promise<void> {
  const answer = await settle(stage, request.key, request, patienceMs);
  if (!answer) return;
  books.open.splice(books.open.indexOf(request), 1);
  stage.count("writes");
  const strange = noteAnswer(books, request, answer);
  if (strange) stage.problems.push(strange);
}

/** Sends all open requests again. */
export async function sendAllOpen(stage: Stage, books: Books, patienceMs: number): Promise<void> {
  const waiting = [...books.open];
  for (const request of waiting) await sendOpen(stage, books, request, patienceMs);
}

/** Sends an earlier request again under its key; the answer must be the same. */
export async function replay(stage: Stage, books: Books, at: number, patienceMs: number): Promise<void> {
  const entry = books.answered[at];
  if (!entry || isRevoked(books, entry.request.key)) return;
  const again = await settle(stage, entry.request.key, entry.request, patienceMs);
  if (!again) return;
  stage.count("replays");
  if (again.status === entry.answer.status && again.text === entry.answer.text) return;
  const { kind, idempotencyKey } = entry.request;
  stage.problems.push(
    `${kind} under ${idempotencyKey} was answered ${entry.answer.status} ${entry.answer.text}, and again ${again.status} ${again.text}`,
  );
}

const isRevoked = (books: Books, key: CreatedKey): boolean =>
  books.keys.some((one) => one.isRevoked && one.key.id === key.id);
