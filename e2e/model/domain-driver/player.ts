// Plays one history against the domain: the worker's calls, callbacks in any overlap, and the merchant's acts.
import { denialException, showsAcceptance } from "@/server/domain/acceptance";
import { stalledException } from "@/server/domain/exceptions";
import type { IntentCore } from "@/server/domain/transition";
import type { Observation } from "../oracle/observation";
import type { Oracle } from "../oracle/oracle";
import { deviationsOf } from "../world/deviations";
import type { QueryCourse } from "../world/history";
import type { Answer, Delivery } from "../world/reports";
import type { World } from "../world/world";
import { type AnyOutcome, type Course, outcomeOf } from "./course";
import type { Pending, Shell } from "./shell";

/** An abandoned call can still arrive within this time (docs/provider-protocol.md, "Signature"). */
const CALLS_ARE_DEAD_AFTER_MS = 10 * 60_000;
const MAXIMUM_SENDS = 5;

interface Attempt {
  readonly at: number;
  readonly isRefused: boolean;
}

/** An answer to a call, or a delivery. */
type Arrival = Omit<Observation, "at">;

export class Player<Intent extends IntentCore<string>> {
  readonly shell: Shell<Intent>;
  readonly #world: World;
  readonly #course: Course<Intent>;
  readonly #oracle: Oracle;
  readonly #isOpen: (intent: Intent) => boolean;
  readonly #startedAt: number;
  #attempts: Attempt[] = [];
  /** The intent as it was when each call began, by the call's tick. */
  readonly #known = new Map<number, Intent>();
  #hasEvidence = false;
  #sentAfterAcceptance = false;
  /** Every `report in status` that was played. */
  readonly pairs: string[] = [];

  constructor(
    shell: Shell<Intent>,
    world: World,
    course: Course<Intent>,
    oracle: Oracle,
    isOpen: (intent: Intent) => boolean,
  ) {
    this.shell = shell;
    this.#world = world;
    this.#course = course;
    this.#oracle = oracle;
    this.#isOpen = isOpen;
    this.#startedAt = shell.intent.createdAt.getTime();
  }

  get isOpen(): boolean {
    return this.#isOpen(this.shell.intent);
  }

  get sentAfterAcceptance(): boolean {
    return this.#sentAfterAcceptance;
  }

  get now(): Date {
    return new Date(this.#startedAt + this.#world.now);
  }

  /** Makes one creation call, to the next provider if the first has nothing. Returns true if the answer was clear. */
  send(overlapping: readonly Arrival[] = []): boolean {
    if (this.#hasEvidence) this.#sentAfterAcceptance = true;
    const answer = this.#called(this.#world.create());
    const isRefused = answer.kind === "unsent" || (answer.kind === "refusal" && answer.code === "not_accepted");
    const isUntouched = this.#attempts.every((attempt) => attempt.isRefused);
    this.#attempts.push({ at: this.#world.now, isRefused });
    if (isRefused && isUntouched && this.#canMove()) return this.#moveOn(answer, overlapping);
    const isLastWord = answer.kind === "refusal" && this.#areCallsDead() && !this.#hasEvidence;
    this.#arrive([{ ...this.#arrival(answer, "creation"), isLastWord }, ...overlapping]);
    return answer.kind === "report" || answer.kind === "refusal" || (isRefused && isUntouched);
  }

  /** Processes a due intent like the worker; callbacks can arrive at the same moment. */
  look(course: QueryCourse, overlapping: readonly Arrival[] = []): void {
    if (!this.isOpen) return this.#arrive(overlapping);
    const isReached = this.#attempts.length === 0 ? this.#begin(overlapping) : this.#ask(course, overlapping);
    if (isReached && this.isOpen && this.#world.now >= this.#world.asked.expiresAt) this.#timeIsUp();
    const standstill = this.isOpen && stalledException(this.shell.intent, this.now);
    if (standstill) this.shell.open(standstill);
  }

  /** Makes the first call, unless the screener refuses the intent. */
  #begin(overlapping: readonly Arrival[]): boolean {
    const { refuse } = this.#course;
    if (!refuse || !this.#world.history.isRefused) return this.send(overlapping);
    this.#oracle.refuse();
    this.shell.run((intent) => refuse(intent, this.now));
    this.#arrive(overlapping);
    return true;
  }

  deliver(deliveries: readonly Delivery[]): void {
    this.#arrive(this.arrivalsOf(deliveries));
  }

  arrivalsOf(deliveries: readonly Delivery[]): Arrival[] {
    return deliveries.map(({ report, fact, askedAt, isFormer }) => ({
      answer: { kind: "report", report, fact },
      by: "callback",
      isFormer,
      tick: askedAt ?? ++this.#world.ticks,
      isLastWord: false,
      fact,
    }));
  }

  /** Polls the intent; sends it again only if no provider can have it. */
  #ask(course: QueryCourse, overlapping: readonly Arrival[]): boolean {
    const answer = this.#called(this.#world.query(course));
    if (answer.kind !== "refusal") {
      this.#arrive([this.#arrival(answer, "query"), ...overlapping]);
      return answer.kind === "report" || (!this.#hasEvidence && this.#attempts.every(({ isRefused }) => isRefused));
    }
    this.#arrive(overlapping);
    if (!this.isOpen) return true;
    if (this.#hasEvidence) {
      this.#oracle.observe({ at: this.#world.now, ...this.#arrival(answer, "query") });
      this.shell.open(denialException(this.shell.intent.id, this.#provider));
      return true;
    }
    if (this.#attempts.length < MAXIMUM_SENDS) return this.send();
    const age = this.#world.now - (this.#attempts.at(-1)?.at ?? 0);
    if (age >= CALLS_ARE_DEAD_AFTER_MS) this.#arrive([{ ...this.#arrival(answer, "query"), isLastWord: true }]);
    return true;
  }

  #timeIsUp(): void {
    const { expire } = this.#course;
    if (!expire) return;
    if (this.#world.history.cancels && this.#attempts.length > 0) {
      this.#arrive([this.#arrival(this.#called(this.#world.cancel()), "cancel")]);
    }
    this.#oracle.windowEnded();
    if (this.isOpen) this.shell.run((intent) => expire(intent, this.now));
  }

  /** No call without a clear answer can still arrive; a provider that is left could execute the intent. */
  #areCallsDead(): boolean {
    const isDead = ({ at, isRefused }: Attempt) => isRefused || this.#world.now - at >= CALLS_ARE_DEAD_AFTER_MS;
    return this.#attempts.every(({ isRefused }) => isRefused) || (this.#attempts.every(isDead) && !this.#canMove());
  }

  #canMove(): boolean {
    return this.#course.reroute !== null && this.#world.history.hasFallback && !this.#world.hasFormer && this.isOpen;
  }

  /** Leaves the refusing provider for the second one, which is called next. */
  #moveOn(answer: Answer, overlapping: readonly Arrival[]): boolean {
    const { reroute } = this.#course;
    if (!reroute) return false;
    const reason = answer.kind === "unsent" ? "not_sent" : "never_accepted";
    const before = this.shell.intent.revision;
    this.shell.run((intent) => reroute(intent, { to: "second", reason }, this.now));
    if (this.shell.intent.revision === before) return this.#stay(answer, overlapping);
    this.#world.hasFormer = true;
    this.#attempts = [];
    return this.send(overlapping);
  }

  #stay(answer: Answer, overlapping: readonly Arrival[]): boolean {
    this.#arrive([this.#arrival(answer, "creation"), ...overlapping]);
    return answer.kind === "refusal";
  }

  /** Stores the intent as it was when the call was made. */
  #called(answer: Answer): Answer {
    this.#known.set(this.#world.ticks, this.shell.intent);
    return answer;
  }

  #arrival(answer: Answer, by: Observation["by"]): Arrival {
    const fact = answer.kind === "report" ? answer.fact : 0;
    return { answer, by, tick: this.#world.ticks, isFormer: false, isLastWord: false, fact };
  }

  /**
   * All arrivals are decided on before the first one commits, and commit in order. Those that do not depend on the
   * revision are processed at their decision, before any other commits.
   */
  #arrive(arrivals: readonly Arrival[]): void {
    const at = this.now;
    const begun = arrivals.map((arrival): readonly [Arrival, Pending<Intent> | null] => [
      arrival,
      this.#isHeard(arrival) ? this.shell.begin((intent) => this.#decide(intent, arrival, at)) : null,
    ]);
    const unguarded = new Set(["ignored", "unmatched_funds", "ambiguous"]);
    // A total that books nothing changes nothing at its commit either.
    const isUnguarded = ([, pending]: (typeof begun)[number]) =>
      pending !== null && (unguarded.has(pending.decision.kind) || pending.step?.total === null);
    for (const [arrival, pending] of [...begun.filter(isUnguarded), ...begun.filter((one) => !isUnguarded(one))]) {
      this.#note(arrival);
      // A callback that overlaps a call is processed after the call began.
      const tick = this.#known.has(arrival.tick) ? arrival.tick : ++this.#world.ticks;
      this.#oracle.observe({ at: this.#world.now, ...arrival, tick });
      if (pending) this.#commit(arrival, pending);
    }
  }

  #commit({ answer }: Arrival, pending: Pending<Intent>): void {
    const wasOpen = this.isOpen;
    this.shell.commit(pending);
    if (wasOpen && !this.isOpen && answer.kind === "report" && answer.report.status === "settled") {
      this.shell.settledUnder = answer.report.provider_reference ?? null;
    }
  }

  /** A refusal changes the intent only if it is the last word, or final. */
  #isHeard({ answer, isLastWord }: Arrival): boolean {
    return answer.kind !== "refusal" || isLastWord || answer.code === "declined" || answer.code === "invalid_recipient";
  }

  #decide(intent: Intent, arrival: Arrival, at: Date) {
    const outcome: AnyOutcome = outcomeOf(this.#world.history.kind, arrival.answer);
    return arrival.isFormer
      ? this.#course.decideFormer(intent, outcome)
      : this.#course.decide(intent, outcome, at, this.#known.get(arrival.tick) ?? intent);
  }

  get #provider(): string {
    return this.#world.hasFormer ? "second" : "first";
  }

  #note({ answer, isFormer }: Arrival): void {
    if (answer.kind !== "report") return;
    const { intent } = this.shell;
    const { status } = answer.report;
    const deviations = deviationsOf(answer.report, this.#world.asked, isFormer);
    this.pairs.push(...[status, ...deviations].map((report) => `${report} in ${intent.status}`));
    const outcome = outcomeOf(this.#world.history.kind, answer);
    if (intent.status !== "requires_approval") this.#hasEvidence ||= showsAcceptance(outcome.kind);
    this.shell.hasFormerEvidence ||= isFormer;
  }
}
