// Plays a scenario with a cut at each of its messages, one after the other.
import type { ApiKey } from "../../support/merchant";
import type { Act, Cut } from "./cutter";
import { type Expected, judge, type Scenario, undisturbed } from "./scenario";
import type { Lane } from "./stage";

/** What came of the cuts of one act in one scenario. */
export interface Played {
  readonly scenario: string;
  readonly act: Act;
  /** The messages that were cut, such as `database >`. */
  readonly fired: readonly string[];
  readonly problems: readonly string[];
}

/** The worker finishes what an undisturbed write began within this time, in ms. */
const QUIET_MS = 1_500;

function keyFor({ bridge, merchant }: Lane, { environment }: Scenario): ApiKey {
  return environment === "live" ? bridge.merchant.keys.live : merchant.keys.test;
}

/** What an undisturbed write of the scenario comes to. */
async function expectedOf(lane: Lane, scenario: Scenario): Promise<Expected> {
  const { api } = await lane.victim();
  return undisturbed(await scenario.prepare(), api(keyFor(lane, scenario)), QUIET_MS);
}

/** Cuts one message of one write. Returns the message, or null if the write had fewer, and what is wrong. */
async function playOne(lane: Lane, scenario: Scenario, expected: Expected, { at, act }: Cut) {
  const { api: apiOf, cutter, kill, ended } = await lane.victim();
  const key = keyFor(lane, scenario);
  const api = apiOf(key);
  // Opens the victim's connections and fills its caches, so that every trial has the same messages.
  await api.get("/wallets");
  const trial = await scenario.prepare();
  cutter.arm({ at, act }, kill);
  const problems = await judge(trial, api, lane.api(key), expected).catch((error: unknown) => [String(error)]);
  const message = cutter.disarm()[at] ?? null;
  if (act === "kill" && message !== null) await ended;
  return { message, problems };
}

/** Cuts at the messages that `isChosen` chooses, until the write has no more. */
export async function play(
  lane: Lane,
  scenario: Scenario,
  act: Act,
  isChosen: (at: number) => boolean = () => true,
): Promise<Played> {
  const { name } = scenario;
  const expected = await expectedOf(lane, scenario);
  const fired: string[] = [];
  const problems: string[] = [];
  for (let at = 0; ; at += 1) {
    if (!isChosen(at)) continue;
    const played = await playOne(lane, scenario, expected, { at, act });
    problems.push(...played.problems.map((text) => `${name}, ${act} at message ${at} (${played.message}): ${text}`));
    if (played.message === null) return { scenario: name, act, fired, problems };
    fired.push(played.message);
  }
}
