// One history against the running service: requests, signed callbacks, the test clock, and what the bridge observed.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Actual, Observation } from "../oracle/observation";
import type { Oracle } from "../oracle/oracle";
import type { History, QueryCourse, Step } from "../world/history";
import type { Answer, Delivery } from "../world/reports";
import { World } from "../world/world";
import type { Bridge, Listener } from "./bridge";
import { askedFor, creationBody, isGated, PLACES } from "./creation";
import type { ServiceDatabase } from "./database";
import { judge, type Occurrence } from "./judge";
import type { Party } from "./merchant";

const DAY = 24 * 60 * 60_000;
const PATHS = { payment: "payment_intents", payout: "payout_intents", topup: "topup_intents" } as const;
const TABLES = { payment: "payment_intent", payout: "payout_intent", topup: "topup_intent" } as const;
const TERMINAL = new Set(["succeeded", "failed", "expired", "cancelled"]);
/** How long the service may take to apply an answer that it received, in ms. */
const APPLYING_MS = 300;
const SETTLES_WITHIN_MS = 30_000;

export interface Tools {
  readonly bridge: Bridge;
  readonly database: ServiceDatabase;
}

export class Session {
  readonly history: History;
  readonly #party: Party;
  readonly #tools: Tools;
  readonly #world: World;
  readonly #occurrences: Occurrence[] = [];
  readonly #startedAt = Date.now();
  readonly #callbackIds: string[] = [];
  readonly #creations: Answer[] = [];
  /** Virtual ms by which the test clock was moved for this history. */
  #advanced = 0;
  #id = "";
  #reference = "";
  #course: QueryCourse = "current";
  /** Calls of the service for this intent. */
  #calls = 0;
  #lastAnswerAt = 0;
  #hasEvidence = false;
  #sentAfterAcceptance = false;

  constructor(history: History, party: Party, tools: Tools) {
    this.history = history;
    this.#party = party;
    this.#tools = tools;
    this.#world = new World(history, askedFor(history));
  }

  /** Creates the intent. Throws when the service does not answer 201. */
  async open(): Promise<void> {
    this.#tools.bridge.expect(this.#party.id, this.#listener());
    if (this.history.kind === "payout" && !isGated(this.history)) this.#occur((oracle) => oracle.approve());
    const headers = { "idempotency-key": randomUUID() };
    const answer = await this.#party.api.post(
      `/${PATHS[this.history.kind]}`,
      creationBody(this.history, this.#world.asked),
      { headers },
    );
    if (answer.status !== 201) throw new Error(`the creation answered ${answer.status}: ${answer.text}`);
    this.#id = (answer.body as { id: string }).id;
    await this.#settle(this.history.kind === "payout" && isGated(this.history) ? 0 : 1);
  }

  async take(step: Step): Promise<void> {
    this.#sync();
    switch (step.do) {
      case "wait": {
        const before = this.#world.now;
        this.#world.wait(step.wait);
        return this.#advance(this.#world.now - before);
      }
      case "fact":
        return this.#world.happen(step.fact);
      case "approve":
      case "cancel":
        return this.#decide(step.do);
      case "deliver":
        return this.#deliver(this.#world.take(step.items));
      case "look":
        return this.#look(step.course, this.#world.take(step.items));
    }
  }

  /** Undelivered callbacks arrive or are lost for good; then days pass. */
  async rest(): Promise<void> {
    for (const delivery of this.#world.takeRest()) await this.#deliver([delivery]);
    this.#sync();
    const before = this.#world.now;
    this.#world.wait("deadline");
    await this.#advance(this.#world.now - before);
    for (let rounds = 0; rounds < 3 && !(await this.#isTerminal()); rounds += 1) await this.#advance(2 * DAY);
  }

  /** Compares the intent with the oracle, and counts the faults that were played into `faults`. */
  async judge(faults: Map<string, number>): Promise<string[]> {
    for (const [fault, times] of this.#world.faults) faults.set(fault, (faults.get(fault) ?? 0) + times);
    const { currency } = PLACES[this.history.protocol];
    const found = judge({
      world: this.#world,
      destination: currency,
      occurrences: this.#occurrences,
      actual: await this.#actual(currency),
      sentAfterAcceptance: this.#sentAfterAcceptance,
    });
    return found.map((one) => `${this.#id}: ${one}`);
  }

  #sync(): void {
    this.#world.now = this.#advanced + (Date.now() - this.#startedAt);
  }

  #occur(apply: (oracle: Oracle) => void, from = Date.now(), to = from): void {
    this.#occurrences.push({ from, to, apply });
  }

  #observation(answer: Answer, by: Observation["by"], tick: number): Observation {
    const fact = answer.kind === "report" ? answer.fact : 0;
    return { at: this.#world.now, answer, by, tick, isFormer: false, isLastWord: false, fact };
  }

  #listener(): Listener {
    return {
      create: (reference) => {
        this.#sync();
        this.#reference = reference;
        if (this.#hasEvidence) this.#sentAfterAcceptance = true;
        const isUntouched = this.#creations.every(({ kind }) => kind === "refusal");
        const answer = this.#world.create();
        this.#creations.push(answer);
        this.#answered(answer, "creation", isUntouched && answer.kind === "refusal");
        return answer;
      },
      query: () => {
        this.#sync();
        const answer = this.#world.query(this.#course);
        this.#course = "current";
        this.#answered(answer, "query", false);
        return answer;
      },
      cancel: () => {
        this.#sync();
        const answer = this.#world.cancel();
        this.#answered(answer, "cancel", false);
        return answer;
      },
    };
  }

  /** An answer at the end of the window ends it, unless the provider is asked to cancel first. */
  #answered(answer: Answer, by: Observation["by"], isLastWord: boolean): void {
    const observation = { ...this.#observation(answer, by, this.#world.ticks), isLastWord };
    const isClear = answer.kind === "report" || answer.kind === "refusal";
    const isOver = this.#world.now >= this.#world.asked.expiresAt;
    const endsWindow = isClear && isOver && (by === "cancel" || !this.#world.history.cancels);
    this.#occur(
      (oracle) => {
        oracle.observe(observation);
        if (endsWindow) oracle.windowEnded();
      },
      Date.now(),
      Date.now() + APPLYING_MS,
    );
    this.#hasEvidence ||= answer.kind === "report";
    this.#calls += 1;
    this.#lastAnswerAt = Date.now();
  }

  async #deliver(deliveries: readonly Delivery[]): Promise<void> {
    // An answer that was held up reached nobody: over HTTP its call has long been given up.
    const sent = deliveries.filter(({ askedAt }) => askedAt === null);
    if (sent.length === 0 || this.#reference === "") return;
    const from = Date.now();
    const occurrences = sent.map((delivery): Occurrence => {
      const answer = { kind: "report", report: delivery.report, fact: delivery.fact } as const;
      const observation = this.#observation(answer, "callback", ++this.#world.ticks);
      return { from, to: from, apply: (oracle) => oracle.observe(observation) };
    });
    this.#occurrences.push(...occurrences);
    await Promise.all(sent.map(({ report }) => this.#post(report)));
    this.#hasEvidence = true;
    await this.#settle();
    for (const occurrence of occurrences) occurrence.to = Date.now();
  }

  async #post(report: object): Promise<void> {
    const callback_id = randomUUID();
    this.#callbackIds.push(callback_id);
    const body = { callback_id, merchant_id: this.#party.id, reference: this.#reference, ...report };
    const status = await this.#tools.bridge.callback(PLACES[this.history.protocol].provider, body);
    if (status >= 300) throw new Error(`a callback was answered ${status}`);
  }

  async #decide(verb: "approve" | "cancel"): Promise<void> {
    const { status } = await this.#row();
    if (this.history.kind !== "payout" || status !== "requires_approval") return;
    this.#occur((oracle) => oracle[verb]());
    if (verb === "approve") await this.#party.approve(this.#id);
    else await this.#party.api.post(`/payout_intents/${this.#id}/cancel`, { reason: "changed our mind" });
    await this.#settle(verb === "approve" ? 1 : 0);
  }

  /** Moves the clock to when the worker looks again; callbacks can arrive at the same moment. */
  async #look(course: QueryCourse, deliveries: readonly Delivery[]): Promise<void> {
    const row = await this.#row();
    if (row.status === "requires_approval" || row.due_in_ms === null) return this.#deliver(deliveries);
    this.#course = course;
    const delivered = this.#deliver(deliveries);
    await this.#advance(Math.max(0, row.due_in_ms) + 1_000);
    await delivered;
    this.#course = "current";
  }

  async #advance(ms: number): Promise<void> {
    const seconds = Math.ceil(ms / 1_000);
    const { due_in_ms } = await this.#row();
    const calls = this.#calls;
    if (seconds > 0) {
      this.#advanced += seconds * 1_000;
      const answer = await this.#party.api.post("/sandbox/clock", { advance_seconds: seconds });
      if (answer.status !== 200) throw new Error(`the clock answered ${answer.status}: ${answer.text}`);
    }
    this.#sync();
    const isLapsed = this.history.kind === "payout" && this.#world.now >= this.#world.asked.expiresAt;
    if (isLapsed) this.#occur((oracle) => oracle.cancel());
    await this.#settle(due_in_ms !== null && due_in_ms <= seconds * 1_000 ? calls + 1 : 0);
    this.#sync();
  }

  #row() {
    return this.#tools.database.rowOf(TABLES[this.history.kind], this.#id);
  }

  async #isTerminal(): Promise<boolean> {
    return TERMINAL.has((await this.#row()).status);
  }

  /** Waits for so many calls, applied callbacks and nothing due, or the end. Throws when that takes too long. */
  async #settle(calls = 0): Promise<void> {
    const deadline = Date.now() + SETTLES_WITHIN_MS;
    for (;;) {
      await sleep(40);
      const isQuiet = Date.now() - this.#lastAnswerAt > APPLYING_MS;
      if (isQuiet && (await this.#tools.database.unapplied(this.#callbackIds)) === 0) {
        const { status, due_in_ms } = await this.#row();
        const isAtRest = due_in_ms === null || (due_in_ms > 0 && this.#calls >= calls);
        if (TERMINAL.has(status) || isAtRest) return;
      }
      if (Date.now() > deadline) throw new Error(`${this.#id} does not come to rest`);
    }
  }

  async #actual(destination: string): Promise<Actual> {
    const { api } = this.#party;
    const { body } = await api.get(`/${PATHS[this.history.kind]}/${this.#id}`);
    const { status, failure_code } = body as { status: string; failure_code: string | null };
    const booked = await this.#tools.database.bookedFor(this.#id);
    const sum = (...kinds: string[]) =>
      booked
        .filter(({ kind, currency }) => kinds.includes(kind) && currency === destination)
        .reduce((total, { amount }) => total + BigInt(amount), 0n);
    const suspense = booked.filter(({ kind, amount }) => kind === "suspense" && amount !== "0");
    return {
      status,
      failureCode: failure_code,
      wallet: sum("available", "held"),
      held: sum("held"),
      suspense: Object.fromEntries(suspense.map(({ currency, amount }) => [currency, BigInt(amount)])),
      exceptions: await this.#tools.database.exceptionsOf(this.#id),
      events: await this.#tools.database.eventsOf(this.#id),
    };
  }
}
