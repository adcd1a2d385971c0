// A trial of a write over REST: the client retries under its Idempotency-Key until it has a definite answer (interface §8).
import { setTimeout as sleep } from "node:timers/promises";
import { unused } from "../../rest/bodies";
import type { Answer, Api } from "../../support/api";
import type { ApiKey } from "../../support/merchant";
import type { Trial } from "./scenario";

const SETTLES_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** True for an answer that a client may keep: no fault, and no 409 of an execution that is still running. */
function isDefinite({ status, headers }: Answer): boolean {
  return status < 500 && headers.get("retry-after") === null;
}

/** Repeats a call until its answer is definite. Throws after 30 s. */
export async function settle(call: () => Promise<Answer>): Promise<Answer> {
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; ) {
    const answer = await call();
    if (isDefinite(answer)) return answer;
    if (Date.now() > end) throw new Error(`no definite answer: ${answer.status} ${answer.text}`);
    await sleep(PAUSE_MS);
  }
}

export type Send = (api: Api, headers: { readonly "idempotency-key": string }) => Promise<Answer>;

/**
 * The write goes to the victim, its retries to the service. All definite answers must be the same, and `effects` must be as
 * if the write had happened once.
 */
export function restTrial(
  service: Api,
  key: ApiKey,
  send: Send,
  effects: (answer: Answer) => Promise<unknown>,
): Trial<Answer> {
  const headers = { "idempotency-key": unused("cut") };
  const retry = () => settle(() => send(service, headers));
  return {
    perform: (victim) => send(victim.api(key), headers),
    async outcome(first) {
      const answer = await retry();
      const again = await retry();
      const answers = first && isDefinite(first) ? [first, answer, again] : [answer, again];
      const texts = new Set(answers.map(({ text }) => text));
      return {
        status: answer.status,
        internalError: first?.status === 500 ? first.text : null,
        answers: texts.size === 1 ? "the same" : [...texts],
        effects: await effects(answer),
      };
    },
  };
}
