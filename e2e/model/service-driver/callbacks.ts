// The callbacks of one history: reports as the provider sends them, and flawed ones.
import { createHash, randomUUID } from "node:crypto";
import type { SetAside } from "../oracle/callbacks";
import type { Flaw } from "../world/history";
import type { Report } from "../world/reports";
import type { Bridge } from "./bridge";

export interface Subject {
  readonly merchantId: string;
  readonly provider: string;
  readonly reference: string;
}

/** Names no intent: the last character of the real reference is another one. */
function foreign(reference: string): string {
  return reference.slice(0, -1) + (reference.endsWith("0") ? "1" : "0");
}

export class Callbacks {
  readonly #bridge: Bridge;
  readonly #subject: Subject;
  /** Of callbacks that are applied, in the order in which they were sent. */
  readonly #ids: string[] = [];
  readonly #flawedIds: string[] = [];
  readonly #setAside = new Map<string, number>();

  constructor(bridge: Bridge, subject: Subject) {
    this.#bridge = bridge;
    this.#subject = subject;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  get flawedIds(): readonly string[] {
    return this.#flawedIds;
  }

  /** Exceptions that must be open in the end, by what they are about. */
  get setAside(): SetAside {
    return this.#setAside;
  }

  /** Everything that an exception could be about. */
  get objects(): readonly string[] {
    return [...this.#setAside.keys(), this.#subject.reference];
  }

  async send(report: Report): Promise<void> {
    const callback_id = randomUUID();
    this.#ids.push(callback_id);
    await this.#post(this.#bodyOf(report, callback_id));
  }

  /** True when the flaw needs an earlier callback and there is none. */
  lacks(flaw: Flaw): boolean {
    return flaw === "reused_id" && this.#ids.length === 0;
  }

  async sendFlawed(flaw: Flaw, report: Report): Promise<void> {
    const { provider, reference } = this.#subject;
    const callback_id = flaw === "reused_id" ? (this.#ids.at(-1) ?? "") : randomUUID();
    if (flaw !== "reused_id") this.#flawedIds.push(callback_id);
    if (flaw === "not_json") {
      const body = `status=${report.status}&callback=${callback_id}`;
      this.#expect(`${provider}/sha256:${createHash("sha256").update(body).digest("hex")}`);
      return this.#post(body);
    }
    if (flaw === "unmatched") {
      this.#expect(foreign(reference));
      return this.#post(this.#bodyOf(report, callback_id, foreign(reference)));
    }
    this.#expect(reference);
    const { currency: _, ...unreadable } = report;
    return this.#post(this.#bodyOf(flaw === "unreadable" ? unreadable : report, callback_id));
  }

  #expect(object: string): void {
    this.#setAside.set(object, (this.#setAside.get(object) ?? 0) + 1);
  }

  #bodyOf(report: object, callback_id: string, reference = this.#subject.reference): string {
    return JSON.stringify({ callback_id, merchant_id: this.#subject.merchantId, reference, ...report });
  }

  async #post(body: string): Promise<void> {
    const status = await this.#bridge.callback(this.#subject.provider, body);
    if (status >= 300) throw new Error(`a callback was answered ${status}`);
  }
}
