// The provider of one history, as the service calls it: it answers from the world, and notes what the service could observe.
import type { Observation } from "../oracle/observation";
import type { QueryCourse } from "../world/history";
import type { Answer, Delivery } from "../world/reports";
import type { World } from "../world/world";
import type { Listener } from "./bridge";
import type { Occurrences } from "./occurrences";

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
    if (this.hasEvidence) this.sentAfterAcceptance = true;
    const answer = this.#around.world.create();
    // `not_accepted` says that the reference will not be accepted either, and there is no further provider.
    this.#answered(answer, "creation", answer.kind === "refusal");
    return answer;
  }

  query(): Answer {
    const answer = this.#around.world.query(this.course);
    this.course = "current";
    this.#answered(answer, "query", false);
    return answer;
  }

  cancel(): Answer {
    const answer = this.#around.world.cancel();
    this.#answered(answer, "cancel", false);
    return answer;
  }

  /** A callback is sent. */
  send({ report, fact }: Delivery): void {
    const { world, occurrences } = this.#around;
    world.ticks += 1;
    const observation = this.#observation({ kind: "report", report, fact }, "callback", false);
    occurrences.callback((oracle) => oracle.observe(observation));
  }

  /** An answer at the end of the window ends it, unless the provider is asked to cancel first. */
  #answered(answer: Answer, by: Observation["by"], isLastWord: boolean): void {
    const { world, occurrences } = this.#around;
    const observation = this.#observation(answer, by, isLastWord);
    const isClear = answer.kind === "report" || answer.kind === "refusal";
    const isOver = world.now >= world.asked.expiresAt;
    const endsWindow = isClear && isOver && (by === "cancel" || !world.history.cancels);
    occurrences.answer((oracle) => {
      oracle.observe(observation);
      if (endsWindow) oracle.windowEnded();
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
