// One history against the running service: requests, signed callbacks, the test clock, and what the bridge observed.
import { setTimeout as sleep } from "node:timers/promises";
import { callbackViolations } from "../oracle/callbacks";
import type { Actual } from "../oracle/observation";
import type { History, Kind, QueryCourse, Step } from "../world/history";
import type { Delivery } from "../world/reports";
import { World } from "../world/world";
import { PATHS, readActual } from "./actual";
import type { Bridge } from "./bridge";
import { Callbacks } from "./callbacks";
import { askedFor, creationBody, isGated } from "./creation";
import type { Row, ServiceDatabase } from "./database";
import { judge } from "./judge";
import type { Party } from "./merchant";
import { Occurrences } from "./occurrences";
import { ProviderSide } from "./provider-side";
import { placeOf, providersOf } from "./providers";

const DAY = 24 * 60 * 60_000;
const TABLES: Readonly<Record<Kind, string>> = {
  payment: "payment_intent",
  payout: "payout_intent",
  topup: "topup_intent",
};
const POLL_MS = 25;
/** How long a worker may still be processing after its latest call if its claim does not show it, in ms. */
const APPLYING_MS = 300;
const SETTLES_WITHIN_MS = 60_000;
/** A payout that awaits a person is not sent: a due intent without a call for this long, in ms, will get none. */
const CALLS_WITHIN_MS = 3_000;
/** A callback with a result has its exception in the same transaction. */
const OPENS_WITHIN_MS = 3_000;
/** docs/api.md: every process follows a moved test clock within a second. */
const CLOCK_IS_KNOWN_AFTER_MS = 1_000;
/** Rounds of two days after which an intent has ended or needs a person. */
const ROUNDS_OF_REST = 4;

export interface Tools {
  readonly bridge: Bridge;
  readonly database: ServiceDatabase;
}

export interface Verdict {
  readonly violations: readonly string[];
  readonly status: string;
  readonly faults: ReadonlyMap<string, number>;
}

export class Session {
  readonly #history: History;
  readonly #party: Party;
  readonly #tools: Tools;
  readonly #world: World;
  readonly #provider: ProviderSide;
  readonly #occurrences = new Occurrences();
  #callbacks: Callbacks;
  #startedAt = Date.now();
  /** When the clock passed the end of the window, in real ms. */
  #windowPassedAt = Number.NEGATIVE_INFINITY;
  /** Virtual ms by which the test clock was moved. */
  #advanced = 0;
  #id = "";
  /** True if a report was sent by callback, which is evidence once applied. */
  #hasReported = false;

  constructor(history: History, party: Party, tools: Tools) {
    this.#history = history;
    this.#party = party;
    this.#tools = tools;
    this.#world = new World(history, askedFor(history));
    this.#callbacks = this.#callbacksAbout("");
    this.#provider = new ProviderSide({
      world: this.#world,
      occurrences: this.#occurrences,
      synchronize: () => this.#synchronize(),
      readDueAt: async () => (this.#id === "" ? null : (await this.#row()).due_at),
    });
  }

  /** Plays the history to rest and judges it. Throws if the service does not answer, or does not come to rest. */
  async play(): Promise<Verdict> {
    await this.#open();
    for (const step of this.#history.steps) await this.#take(step);
    await this.#rest();
    return this.#judge();
  }

  async #open(): Promise<void> {
    const { kind } = this.#history;
    const isAtGate = kind === "payout" && isGated(this.#history);
    this.#tools.bridge.register(this.#party.id, this.#provider);
    if (kind === "payout" && !isAtGate) this.#occurrences.act((oracle) => oracle.approve());
    const body = creationBody(this.#history, this.#world.asked);
    const headers = { "idempotency-key": `create ${this.#party.id}` };
    const answer = await this.#party.api.post(`/${PATHS[kind]}`, body, { headers });
    if (answer.status !== 201) throw new Error(`the creation was answered ${answer.status}: ${answer.text}`);
    const { id, created_at } = answer.body as { id: string; created_at: string };
    this.#id = id;
    this.#startedAt = Date.parse(created_at);
    const { reference } = await this.#row();
    this.#tools.bridge.name(this.#party.id, reference);
    this.#callbacks = this.#callbacksAbout(reference);
    await this.#settle(isAtGate ? 0 : 1);
  }

  async #take(step: Step): Promise<void> {
    this.#synchronize();
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
      case "misdeliver":
        return this.#callbacks.sendFlawed(this.#reporter(false), step.flaw, this.#world.misdeliver(step.flaw));
      case "look":
        return this.#look(step.course, this.#world.take(step.items));
    }
  }

  /** Undelivered callbacks arrive or are lost for good; then days pass. */
  async #rest(): Promise<void> {
    for (const delivery of this.#world.takeRest()) await this.#deliver([delivery]);
    this.#synchronize();
    const before = this.#world.now;
    this.#world.wait("deadline");
    await this.#advance(this.#world.now - before);
    for (let round = 0; round < ROUNDS_OF_REST && !(await this.#isAtRest()); round += 1) await this.#advance(2 * DAY);
    await this.#untilSetAside();
  }

  async #isAtRest(): Promise<boolean> {
    const { due_at } = await this.#row();
    return due_at === null || (await this.#tools.database.exceptionsOf(this.#id)).includes("stuck");
  }

  /** Waits until each flawed callback has its exception, or can no longer get one. */
  async #untilSetAside(): Promise<void> {
    const { database } = this.#tools;
    const { setAside, flawedIds, objects } = this.#callbacks;
    const wanted = [...setAside.values()].reduce((sum, n) => sum + n, 0);
    const deadline = Date.now() + OPENS_WITHIN_MS;
    for (;;) {
      const { unapplied } = await this.#row(flawedIds);
      const opened = [...(await database.setAside(objects)).values()].reduce((sum, n) => sum + n, 0);
      if (unapplied === 0 && (opened >= wanted || Date.now() > deadline)) return;
      await database.hastenRetries(flawedIds);
      await sleep(POLL_MS);
    }
  }

  async #judge(): Promise<Verdict> {
    const { currency } = placeOf(this.#history);
    const { api } = this.#party;
    const { database } = this.#tools;
    const actual: Actual = await readActual({ api, database, currency }, this.#history.kind, this.#id);
    const violations = [
      ...judge({
        world: this.#world,
        destination: currency,
        occurrences: this.#occurrences.all,
        actual,
        sentAfterAcceptance: this.#provider.sentAfterAcceptance,
        wasLeftInDoubt: this.#provider.wasLeftInDoubt,
      }),
      ...callbackViolations(this.#callbacks.setAside, await database.setAside(this.#callbacks.objects)),
    ];
    const { status } = actual;
    return { violations: violations.map((one) => `${this.#id}: ${one}`), status, faults: this.#world.faults };
  }

  #callbacksAbout(reference: string): Callbacks {
    const { reusesId } = this.#history;
    const subject = { merchantId: this.#party.id, reference, intentId: this.#id, reusesId };
    return new Callbacks(this.#tools.bridge, subject);
  }

  /** The provider that has the intent, or the former one. */
  #reporter(isFormer: boolean): string {
    const [first, second = first] = providersOf(this.#history);
    return this.#world.hasFormer && !isFormer ? second : first;
  }

  #synchronize(): void {
    this.#world.now = this.#advanced + (Date.now() - this.#startedAt);
  }

  async #deliver(deliveries: readonly Delivery[]): Promise<void> {
    await this.#send(deliveries);
    await this.#settle();
  }

  /** A delayed answer reaches no caller: over HTTP its call has long timed out. */
  async #send(deliveries: readonly Delivery[]): Promise<void> {
    const sent = deliveries.filter(({ askedAt }) => askedAt === null);
    if (sent.length > 0) await sleep(Math.max(0, this.#windowPassedAt + CLOCK_IS_KNOWN_AFTER_MS - Date.now()));
    this.#synchronize();
    const isAtGate = sent.length > 0 && (await this.#row()).status === "requires_approval";
    for (const delivery of sent) this.#provider.send(delivery);
    const areReused = await Promise.all(
      sent.map(({ report, isFormer }) => this.#callbacks.send(this.#reporter(isFormer), report, isFormer)),
    );
    for (const isReused of areReused) if (isReused) this.#world.count("callback reused id");
    if (sent.length > 0 && !isAtGate) this.#hasReported = true;
  }

  async #decide(verb: "approve" | "cancel"): Promise<void> {
    if (this.#history.kind !== "payout" || (await this.#row()).status !== "requires_approval") return;
    this.#occurrences.act((oracle) => oracle[verb]());
    const { calls } = this.#provider;
    if (verb === "approve") await this.#party.approve(this.#id);
    else await this.#party.api.post(`/payout_intents/${this.#id}/cancel`, { reason: "changed our mind" });
    const { status } = await this.#row();
    await this.#settle(status === "processing" ? calls + 1 : 0);
  }

  /** Moves the clock to the next poll of the worker; callbacks arrive at the same moment. */
  async #look(course: QueryCourse, deliveries: readonly Delivery[]): Promise<void> {
    const { status, due_in_ms } = await this.#row();
    if (status === "requires_approval" || due_in_ms === null) return this.#deliver(deliveries);
    this.#provider.course = course;
    const calls = await this.#move(Math.max(0, due_in_ms) + 1_000);
    await this.#send(deliveries);
    await this.#settle(calls);
    this.#provider.course = "current";
  }

  async #advance(ms: number): Promise<void> {
    await this.#settle(await this.#move(ms));
  }

  /** Moves the test clock and waits until the worker has finished all due work. Returns the number of calls made so far. */
  async #move(ms: number): Promise<number> {
    const seconds = Math.ceil(ms / 1_000);
    const { due_in_ms, status } = await this.#row();
    const { calls } = this.#provider;
    this.#synchronize();
    const wasOpen = this.#world.now < this.#world.asked.expiresAt;
    if (seconds > 0) {
      this.#advanced += seconds * 1_000;
      const answer = await this.#party.api.post("/sandbox/clock", { advance_seconds: seconds });
      if (answer.status !== 200) throw new Error(`the clock was answered ${answer.status}: ${answer.text}`);
    }
    this.#synchronize();
    if (wasOpen && this.#world.now >= this.#world.asked.expiresAt) this.#windowPassedAt = Date.now();
    const isLapsed = this.#history.kind === "payout" && this.#world.now >= this.#world.asked.expiresAt;
    if (isLapsed && status === "requires_approval") this.#occurrences.act((oracle) => oracle.cancel());
    return due_in_ms !== null && due_in_ms <= seconds * 1_000 ? calls + 1 : 0;
  }

  #row(callbackIds: readonly string[] = this.#callbacks.ids): Promise<Row> {
    return this.#tools.database.rowOf(TABLES[this.#history.kind], this.#id, callbackIds);
  }

  /** Waits until the service has made `calls` calls in total and has nothing left to do now. */
  async #settle(calls = 0): Promise<void> {
    const startedAt = Date.now();
    for (;;) {
      const isCallDue = this.#provider.calls < calls && Date.now() - startedAt < CALLS_WITHIN_MS;
      if (this.#isQuiet(await this.#row(), isCallDue)) break;
      if (Date.now() - startedAt > SETTLES_WITHIN_MS) throw new Error(`${this.#id} does not come to rest`);
      await sleep(POLL_MS);
    }
    this.#occurrences.rest();
    this.#provider.hasEvidence ||= this.#hasReported;
    this.#synchronize();
  }

  #isQuiet({ due_at, due_in_ms, unapplied }: Row, isCallDue: boolean): boolean {
    const { claimedUntil, lastAnswerAt } = this.#provider;
    const isOver = this.#world.now >= this.#world.asked.expiresAt;
    // An ended intent shows no claim; at the end of the window a further call follows.
    const isApplying = (due_at === null || isOver) && Date.now() - lastAnswerAt < APPLYING_MS;
    if (unapplied > 0 || isApplying) return false;
    if (due_at === null || due_in_ms === null) return true;
    return due_in_ms > 0 && due_at !== claimedUntil && !isCallDue;
  }
}
