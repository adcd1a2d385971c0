// The provider of one history, as the service calls it: it answers from the world, and notes what the service could observe.
import type { Observation } from "../oracle/observation";
import type { QueryCourse } from "../world/history";
import type { Answer, Delivery } from "../world/reports";
import type { World } from "../world/world";
import type { Listener } from "./bridge";
import type { Occurrences } from "./occurrences";

/** docs/provider-protocol.md: after this an unanswered call counts as dead. */
const CALLS_ARE_DEAD_AFTER_MS = 10 * 60_000;
/** docs/provider-protocol.md, "Rules for a bridge": a reference is sent again within this time and so often at most. */
const SENT_AGAIN_FOR_MS = 23 * 60 * 60_000;
const MAXIMUM_SENDS = 5;

export interface Surroundings {
  readonly world: World;
  readonly occurrences: Occurrences;
  /** Sets the world's clock to the time of the service. */
  synchronize(): void;
  /** Reads when the intent is due. */
  readDueAt(): Promise<string | null>;
}

export class ProviderSide implements Listener {
  readonly #around: Surroundings;
  /** When each creation call arrived, in virtual ms. */
  readonly #creations: number[] = [];
  /** The latest query, and whether a creation call followed in the same poll: then its answer decides. */
  #query = { isFollowed: false };
  /** How the next query is answered. */
  course: QueryCourse = "current";
  calls = 0;
  lastAnswerAt = 0;
  /** `due_at` at the latest call: the end of the worker's claim. The worker changes it when it is done. */
  claimedUntil: string | null = null;
  /** True when the service has read a report of the provider. */
  hasEvidence = false;
  sentAfterAcceptance = false;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  async called(): Promise<void> {
    this.claimedUntil = await this.#around.readDueAt();
    this.#around.synchronize();
  }

  create(): Answer {
    const { world } = this.#around;
    if (this.hasEvidence) this.sentAfterAcceptance = true;
    this.#query.isFollowed = true;
    this.#creations.push(world.now);
    const answer = world.create();
    // `not_accepted` says that the reference will not be accepted either, and there is no further provider.
    this.#answered(answer, "creation", { isLastWord: answer.kind === "refusal" });
    return answer;
  }

  query(): Answer {
    const query = { isFollowed: false };
    this.#query = query;
    const answer = this.#around.world.query(this.course);
    this.course = "current";
    const isLastWord = answer.kind === "refusal" && this.#isDenialFinal();
    this.#answered(answer, "query", { isLastWord, isOverridden: () => query.isFollowed });
    return answer;
  }

  cancel(): Answer {
    const answer = this.#around.world.cancel();
    this.#answered(answer, "cancel", { isLastWord: false });
    return answer;
  }

  /** A callback is sent. */
  send({ report, fact }: Delivery): void {
    const { world, occurrences } = this.#around;
    world.ticks += 1;
    const observation = this.#observation({ kind: "report", report, fact }, "callback", false);
    occurrences.callback((oracle) => oracle.observe(observation));
  }

  /** A payout that the provider may have forgotten is never taken for one that it never had. */
  #isDenialFinal(): boolean {
    const { now, history } = this.#around.world;
    const [first = now, last = now] = [this.#creations[0], this.#creations.at(-1)];
    const isForgotten = now - first >= SENT_AGAIN_FOR_MS;
    if (isForgotten) return history.kind !== "payout";
    return this.#creations.length >= MAXIMUM_SENDS && now - last >= CALLS_ARE_DEAD_AFTER_MS;
  }

  /** An answer at the end of the window ends it, unless another call follows in the same poll. */
  #answered(
    answer: Answer,
    by: Observation["by"],
    meaning: { readonly isLastWord: boolean; isOverridden?(): boolean },
  ): void {
    const { world, occurrences } = this.#around;
    const observation = this.#observation(answer, by, meaning.isLastWord);
    const isClear = answer.kind === "report" || answer.kind === "refusal";
    const isOver = world.now >= world.asked.expiresAt;
    const endsWindow = isClear && isOver && (by === "cancel" || !world.history.cancels);
    occurrences.answer((oracle) => {
      oracle.observe(observation);
      if (endsWindow && !meaning.isOverridden?.()) oracle.windowEnded();
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
