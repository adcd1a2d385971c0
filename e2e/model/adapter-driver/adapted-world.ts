// The world of a history whose provider is a fake with its own books: the fake answers, this world keeps clock and counts.
import type { Asked, History } from "../world/history";
import type { Answer } from "../world/reports";
import { World } from "../world/world";
import type { Scene } from "./adapted";

export class AdaptedWorld extends World {
  /** The answer that the fake has just given. */
  answer: Answer = { kind: "silence" };
  readonly #scene: Scene;

  constructor(history: History, asked: Asked, scene: Scene) {
    super(history, asked);
    this.#scene = scene;
  }

  override create(): Answer {
    this.ticks += 1;
    this.creations += 1;
    return this.answer;
  }

  override query(): Answer {
    this.ticks += 1;
    return this.answer;
  }

  override cancel(): Answer {
    this.ticks += 1;
    return this.answer;
  }

  /** Takes over what the fake's books say at the end. */
  close(): void {
    this.record.isAccepted = this.#scene.isKnown;
    if (this.#scene.isSettled) this.payout.settled = this.asked;
  }
}
