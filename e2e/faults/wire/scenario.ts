// What a scenario of the wire cutter is, and how one cut of it is judged: the write has exactly the effects of an
// undisturbed one, and its retries get one answer.
import { isDeepStrictEqual } from "node:util";
import type { Answer, Api } from "../../support/api";

/** One write, made ready to be sent once and then retried under the same key. */
export interface Trial {
  send(api: Api): Promise<Answer>;
  /** Everything that the write has changed, in a form that is equal for two trials. */
  effects(answer: Answer): Promise<unknown>;
}

export interface Scenario {
  readonly name: string;
  readonly environment: "test" | "live";
  /** Prepares what the write needs. */
  prepare(): Promise<Trial>;
}

/** From the first retry to a definite answer, and from that to the effects, in ms. */
const SETTLES_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** True for an answer that a client may keep: no fault, and no 409 of an execution that is still running. */
function isDefinite({ status, headers }: Answer): boolean {
  return status < 500 && headers.get("retry-after") === null;
}

async function settle(trial: Trial, api: Api): Promise<Answer> {
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; ) {
    const answer = await trial.send(api);
    if (isDefinite(answer)) return answer;
    if (Date.now() > end) throw new Error(`no definite answer: ${answer.status} ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The effects once they are as expected, or as they are at the end of the time. */
async function settledEffects(trial: Trial, answer: Answer, expected: unknown): Promise<unknown> {
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; ) {
    const effects = await trial.effects(answer);
    if (isDeepStrictEqual(effects, expected) || Date.now() > end) return effects;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

export interface Expected {
  readonly status: number;
  readonly effects: unknown;
}

/** Sends the write once without a cut, and says what every other trial must come to. */
export async function undisturbed(trial: Trial, victim: Api, quietMs: number): Promise<Expected> {
  const answer = await trial.send(victim);
  // The worker may still be finishing what the answer began.
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  return { status: answer.status, effects: await trial.effects(answer) };
}

/**
 * Sends the write to the victim, then retries it at the service. Returns what is wrong: another answer or other effects than
 * of an undisturbed write, or a definite answer of the victim's that the retry contradicts.
 */
export async function judge(trial: Trial, victim: Api, service: Api, expected: Expected): Promise<readonly string[]> {
  const first = await trial.send(victim).catch(() => null);
  const answer = await settle(trial, service);
  const again = await settle(trial, service);
  const effects = await settledEffects(trial, answer, expected.effects);
  const problems: string[] = [];
  if (first && isDefinite(first) && first.text !== answer.text)
    problems.push(`the victim answered ${first.text}, the retry ${answer.text}`);
  if (answer.status !== expected.status) problems.push(`the retry was answered ${answer.status}: ${answer.text}`);
  if (again.text !== answer.text) problems.push(`two retries differ: ${answer.text} and ${again.text}`);
  if (!isDeepStrictEqual(effects, expected.effects)) problems.push(`the effects are ${JSON.stringify(effects)}`);
  return problems;
}
