// The provider of one history: it answers the service's calls from the world, and records what the service could
// observe.
import type { Observation } from "../oracle/observation";
import type { QueryCourse } from "../world/history";
import type { Answer, Delivery } from "../world/reports";
import type { World } from "../world/world";
import type { Listener } from "./bridge";
import type { Occurrences } from "./occurrences";
import { providersOf } from "./providers";

/** docs/provider-protocol.md: after this an unanswered call counts as dead. */
const CALLS_ARE_DEAD_AFTER_MS = 10 * 60_000;
/**
 * docs/provider-protocol.md, "Rules for a bridge": a reference is sent again only within this time and a limited number
 * of times.
 */
const SENT_AGAIN_FOR_MS = 23 * 60 * 60_000;
const MAXIMUM_SENDS = 5;
/**
 * docs/provider-protocol.md: while a cancel call does not close an unpaid intent, it stays open for this long after its
 * window.
 */
const CANCELLED_FOR_MS = 60_000;

export interface Surroundings {
  readonly world: World;
  readonly occurrences: Occurrences;
  /** Sets the world's clock to the time of the service. */
  synchronize(): void;
  /** Reads when the intent is due. */
  readDueAt(): Promise<string | null>;
}

/** One creation call. */
interface Creation {
  /** Its arrival, in virtual ms. */
  readonly at: number;
  readonly isClear: boolean;
  /** True if the provider answered that it has nothing, or the call was never sent. */
  readonly isRefused: boolean;
}

/** The meaning of an answer for the intent, by the docs. */
interface Meaning {
  readonly isLastWord: boolean;
  readonly endsWindow: boolean;
  /** Set once the poll is over: true if a creation call followed, whose answer counts instead. */
  isFollowed?(): boolean;
}

export class ProviderSide implements Listener {
  readonly #around: Surroundings;
  /** All calls to the provider that has the intent. */
  #creations: Creation[] = [];
  /** The latest query, and whether a creation call followed in the same poll, whose answer then decides. */
  #query = { isFollowed: false };
  /** How the next query is answered. */
  course: QueryCourse = "current";
  calls = 0;
  lastAnswerAt = 0;
  /** `due_at` at the latest call: the end of the worker's claim. The worker changes it when it has finished. */
  claimedUntil: string | null = null;
  /** True if the service has read a report of the provider. */
  hasEvidence = false;
  sentAfterAcceptance = false;
  /** True if a second provider was called before every call to the first had been refused with certainty. */
  wasLeftInDoubt = false;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  async called(): Promise<void> {
    this.claimedUntil = await this.#around.readDueAt();
    this.#around.synchronize();
  }

  create(provider: string): Answer {
    const { world } = this.#around;
    if (this.hasEvidence) this.sentAfterAcceptance = true;
    this.#query.isFollowed = true;
    if (provider === providersOf(world.history)[1] && !world.hasFormer) this.#leave();
    const answer = world.create();
    const isLastWord = answer.kind === "refusal" && this.#areCallsDead() && !this.#canBeLeft();
    this.#creations.push({ at: world.now, isClear: isClear(answer), isRefused: isDenied(answer) });
    this.#answered(answer, "creation", { isLastWord, endsWindow: isClear(answer) });
    return answer;
  }

  query(): Answer {
    const query = { isFollowed: false };
    this.#query = query;
    const answer = this.#around.world.query(this.course);
    this.course = "current";
    const isLastWord = answer.kind === "refusal" && this.#areCallsDead() && this.#isNotSentAgain();
    this.#answered(answer, "query", { isLastWord, endsWindow: isClear(answer), isFollowed: () => query.isFollowed });
    return answer;
  }

  cancel(): Answer {
    const { world } = this.#around;
    const answer = world.cancel();
    const isTried = world.now >= world.asked.expiresAt + CANCELLED_FOR_MS;
    this.#answered(answer, "cancel", { isLastWord: false, endsWindow: answer.kind === "refusal" || isTried });
    return answer;
  }

  /** Sends a callback. */
  send({ report, fact, isFormer }: Delivery): void {
    const { world, occurrences } = this.#around;
    world.ticks += 1;
    const observation = { ...this.#observation({ kind: "report", report, fact }, "callback", false), isFormer };
    occurrences.callback((oracle) => oracle.observe(observation));
  }

  #canBeLeft(): boolean {
    const { history, hasFormer } = this.#around.world;
    return history.hasFallback && !hasFormer;
  }

  #leave(): void {
    this.wasLeftInDoubt ||= !this.#creations.every(({ isRefused }) => isRefused);
    this.#around.world.hasFormer = true;
    this.#creations = [];
  }

  /** No call without a clear answer can still arrive. */
  #areCallsDead(): boolean {
    const { now } = this.#around.world;
    return this.#creations.every(
      ({ at, isClear: clear, isRefused }) => clear || isRefused || now - at >= CALLS_ARE_DEAD_AFTER_MS,
    );
  }

  /** A payout that the provider may have forgotten is never treated as one that it never had. */
  #isNotSentAgain(): boolean {
    const { now, history } = this.#around.world;
    const [first = { at: now }, last = { at: now }] = [this.#creations[0], this.#creations.at(-1)];
    const canBeForgotten = !this.#creations.every(({ isRefused }) => isRefused);
    if (canBeForgotten && now - first.at >= SENT_AGAIN_FOR_MS) return history.kind !== "payout";
    return this.#creations.length >= MAXIMUM_SENDS && now - last.at >= CALLS_ARE_DEAD_AFTER_MS;
  }

  /** At the end of the window a clear answer ends it, unless the intent is cancelled or sent again in the same poll. */
  #answered(answer: Answer, by: Observation["by"], { isLastWord, endsWindow, isFollowed }: Meaning): void {
    const { world, occurrences } = this.#around;
    const observation = this.#observation(answer, by, isLastWord);
    const isOver = world.now >= world.asked.expiresAt && (by === "cancel" || !world.history.cancels);
    occurrences.answer((oracle) => {
      oracle.observe(observation);
      if (isOver && endsWindow && !isFollowed?.()) oracle.windowEnded();
    });
    this.hasEvidence ||= answer.kind === "report";
    this.calls += 1;
    this.lastAnswerAt = Date.now();
  }

  #observation(answer: Answer, by: Observation["by"], isLastWord: boolean): Observation {
    const { now: at, ticks: tick } = this.#around.world;
    const fact = answer.kind === "report" ? answer.fact : 0;
    return { at, answer, by, tick, isFormer: false, isLastWord, fact };
  }
}

function isDenied(answer: Answer): boolean {
  return answer.kind === "unsent" || (answer.kind === "refusal" && answer.code === "not_accepted");
}

function isClear({ kind }: Answer): boolean {
  return kind === "report" || kind === "refusal" || kind === "no_news";
}
