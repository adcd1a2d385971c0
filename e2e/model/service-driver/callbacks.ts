// The callbacks of one history: reports as the provider sends them, and flawed ones.
import { createHash, randomUUID } from "node:crypto";
import type { SetAside } from "../oracle/callbacks";
import type { Flaw } from "../world/history";
import type { Report } from "../world/reports";
import type { Bridge } from "./bridge";

export interface Subject {
  readonly merchantId: string;
  readonly reference: string;
  readonly intentId: string;
  /** True if all reports are sent under one id. */
  readonly reusesId: boolean;
}

/**
 * docs/provider-protocol.md, "Callbacks": the number of bodies stored under one id, the later ones under `id~2`, `id~3`
 * …
 */
const MAXIMUM_BODIES = 16;

/** A reference of no intent: the real one with another last character. */
function foreign(reference: string): string {
  return reference.slice(0, -1) + (reference.endsWith("0") ? "1" : "0");
}

export class Callbacks {
  readonly #bridge: Bridge;
  readonly #subject: Subject;
  readonly #sharedId = randomUUID();
  readonly #sharedBodies = new Set<string>();
  readonly #ids: string[] = [];
  readonly #flawedIds: string[] = [];
  readonly #setAside = new Map<string, number>();

  constructor(bridge: Bridge, subject: Subject) {
    this.#bridge = bridge;
    this.#subject = subject;
  }

  /** The ids of callbacks that can be applied. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  get flawedIds(): readonly string[] {
    return this.#flawedIds;
  }

  /** The exceptions that must be open at the end, by object. */
  get setAside(): SetAside {
    return this.#setAside;
  }

  /** Every object that an exception could be about. */
  get objects(): readonly string[] {
    const { reference, intentId } = this.#subject;
    return [...this.#setAside.keys(), reference, intentId];
  }

  /**
   * Sends a provider's report. `isFormer` marks a former provider, which gives each callback its own id. Returns true
   * if another report was sent under the same id before.
   */
  async send(provider: string, report: Report, isFormer: boolean): Promise<boolean> {
    const shared = this.#bodyOf(report, this.#sharedId);
    const bodies = this.#sharedBodies;
    if (isFormer || !this.#subject.reusesId || (bodies.size === MAXIMUM_BODIES && !bodies.has(shared))) {
      const id = randomUUID();
      this.#ids.push(id);
      await this.#post(provider, this.#bodyOf(report, id));
      return false;
    }
    const isReused = bodies.size > 0 && !bodies.has(shared);
    bodies.add(shared);
    this.#ids.push(bodies.size === 1 ? this.#sharedId : `${this.#sharedId}~${bodies.size}`);
    await this.#post(provider, shared);
    return isReused;
  }

  async sendFlawed(provider: string, flaw: Flaw, report: Report): Promise<void> {
    const { reference, intentId } = this.#subject;
    const callback_id = randomUUID();
    this.#flawedIds.push(callback_id);
    if (flaw === "not_json") {
      const body = `status=${report.status}&callback=${callback_id}`;
      this.#expect(`${provider}/sha256:${createHash("sha256").update(body).digest("hex")}`);
      return this.#post(provider, body);
    }
    if (flaw === "unmatched") {
      this.#expect(foreign(reference));
      return this.#post(provider, this.#bodyOf(report, callback_id, foreign(reference)));
    }
    this.#expect(intentId);
    const { currency: _, ...unreadable } = report;
    return this.#post(provider, this.#bodyOf(unreadable, callback_id));
  }

  #expect(object: string): void {
    this.#setAside.set(object, (this.#setAside.get(object) ?? 0) + 1);
  }

  #bodyOf(report: object, callback_id: string, reference = this.#subject.reference): string {
    return JSON.stringify({ callback_id, merchant_id: this.#subject.merchantId, reference, ...report });
  }

  async #post(provider: string, body: string): Promise<void> {
    const status = await this.#bridge.callback(provider, body);
    if (status >= 300) throw new Error(`a callback was answered ${status}`);
  }
}
