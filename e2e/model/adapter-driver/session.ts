// One history against the services, the built-in adapter and its hostile fake, step by step.

import { setTopupTerms } from "@/server/services/merchants/topup-terms";
import type { TestMerchant } from "@/server/testing/merchant";
import { boundViolations, truthViolations } from "../oracle/bounds";
import { violationsOf } from "../oracle/compare";
import type { Actual, Expectation } from "../oracle/observation";
import { oracleOf } from "../oracle/oracle";
import { walletOf } from "../service-driver/actual";
import type { ServiceDatabase } from "../service-driver/database";
import { Occurrences } from "../service-driver/occurrences";
import { ProviderSide } from "../service-driver/provider-side";
import type { History, QueryCourse, Step } from "../world/history";
import type { Answer, Report } from "../world/reports";
import type { AdaptedProvider, Heard, Scene } from "./adapted";
import { AdaptedWorld } from "./adapted-world";
import { Desk } from "./services";

const DAY = 24 * 60 * 60_000;
/** Rounds of a day after which an intent has ended or needs a person. */
const ROUNDS_OF_REST = 4;
/** More rounds than a callback is tried. */
const ROUNDS_OF_CALLBACKS = 30;

export interface Tools {
  readonly provider: AdaptedProvider;
  readonly merchant: TestMerchant;
  readonly database: ServiceDatabase;
}

export interface Verdict {
  readonly violations: readonly string[];
  /** What was played: the end of the intent, each course of a call, each fact that happened, each flaw. */
  readonly played: readonly string[];
}

/** The part of a history that a provider with an adapter can be shown: one provider that names receipts, no gate. */
function fitted(history: History, { cancels }: AdaptedProvider): History {
  // No provider with an adapter takes a fee for top-ups.
  const terms = history.terms === "fee" ? "plain" : history.terms;
  return { ...history, terms, protocol: 2, hasFallback: false, cancels, approvals: 1, isRefused: false };
}

const SPREAD_BASIS_POINTS = { plain: "0", spread: "50", fee: "0" };

export class Session {
  readonly #history: History;
  readonly #tools: Tools;
  readonly #scene: Scene;
  readonly #desk: Desk;
  readonly #world: AdaptedWorld;
  readonly #side: ProviderSide;
  readonly #occurrences = new Occurrences();
  readonly #played: string[] = [];
  readonly #violations: string[] = [];
  /** True while the service handles a callback: its polls are then no polls of the worker. */
  #isHinted = false;
  /** True once the provider named an object that is not ours under our reference. */
  #isContradicted = false;
  #isForgotten = false;
  /** Polls of the worker's present round: the second one is part of closing the intent. */
  #polls = 0;
  #webhooks = 0;
  #flaws = 0;
  #setAsideBefore = 0;
  #id = "";

  constructor(history: History, tools: Tools, windowMs: number) {
    const { provider, merchant } = tools;
    this.#history = fitted(history, provider);
    this.#tools = tools;
    this.#scene = provider.scene(this.#history);
    const wanted = provider.wanted(history.kind);
    this.#desk = new Desk(merchant, history.kind, wanted);
    const { amount, currency } = wanted.source ?? wanted;
    const asked = { amount, currency, expiresAt: windowMs };
    this.#world = new AdaptedWorld(this.#history, asked, this.#scene);
    this.#side = new ProviderSide({
      world: this.#world,
      occurrences: this.#occurrences,
      synchronize: () => undefined,
      readDueAt: async () => null,
    });
    this.#scene.listen(
      (heard) => this.#heard(heard),
      () => this.#isOver(),
    );
  }

  async play(): Promise<Verdict> {
    this.#setAsideBefore = await this.#setAside();
    if (this.#history.kind === "topup") await this.#agree();
    this.#prepare("current");
    if (this.#history.kind === "payout") this.#occurrences.act((oracle) => oracle.approve());
    const { id, dispatchReference } = await this.#desk.create();
    this.#id = id;
    this.#scene.named(dispatchReference);
    this.#rested();
    if (this.#history.kind === "payout") await this.#follow("current");
    for (const step of this.#history.steps) await this.#take(step);
    await this.#rest();
    const { status } = await this.#desk.read();
    this.#played.push(`${this.#history.kind} ${status}`);
    return { violations: [...this.#violations, ...(await this.#judge())], played: this.#played };
  }

  /** The merchant's terms are those of the history. */
  async #agree(): Promise<void> {
    const { overpayment, underpayment, latePayment, terms } = this.#history;
    const spreadBasisPoints = SPREAD_BASIS_POINTS[terms];
    const agreed = { overpayment, underpayment, latePayment, spreadBasisPoints, feeMode: "absorbed" } as const;
    await setTopupTerms(this.#tools.merchant.scope, agreed);
  }

  /** Decisions of people are not played: payouts need no approval here. */
  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case "wait":
        return this.#world.wait(step.wait);
      case "fact":
        if (!this.#scene.happen(step.fact)) return;
        this.#played.push(`fact ${step.fact.fact}`);
        this.#isForgotten ||= step.fact.fact === "forget";
        this.#webhooks += 1;
        return;
      case "deliver":
        return this.#deliver(step.items.length);
      case "look":
        await this.#follow(step.course);
        return this.#deliver(step.items.length);
      case "misdeliver":
        return this.#misdeliver(step.flaw);
      case "approve":
      case "cancel":
    }
  }

  /** A forged webhook arrives as well: it must be rejected. */
  async #misdeliver(flaw: Parameters<Scene["flawed"]>[0]): Promise<void> {
    this.#played.push(`callback ${flaw}`);
    this.#flaws += 1;
    await this.#receive(this.#scene.flawed(flaw));
    const isAccepted = await this.#desk.receive(this.#tools.provider.name, this.#scene.forged()).then(
      () => true,
      () => false,
    );
    if (isAccepted) this.#violations.push("a webhook with a forged signature was accepted");
  }

  async #deliver(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const webhook = this.#scene.webhook();
      if (webhook) await this.#receive(webhook);
    }
    this.#webhooks = 0;
  }

  async #receive(...webhooks: Parameters<Desk["receive"]>[1][]): Promise<void> {
    this.#scene.prepare("answered", "current");
    this.#isHinted = true;
    await this.#desk.receive(this.#tools.provider.name, ...webhooks);
    this.#isHinted = false;
    this.#rested();
  }

  async #follow(course: QueryCourse): Promise<void> {
    this.#prepare(course);
    this.#polls = 0;
    if (course !== "current") this.#played.push(`query ${course}`);
    await this.#desk.follow(this.#world.now);
    this.#rested();
  }

  #prepare(course: QueryCourse): void {
    const creation = this.#history.creations[this.#world.creations] ?? "answered";
    this.#scene.prepare(creation, course);
  }

  async #rest(): Promise<void> {
    if (!this.#history.losesRest && this.#webhooks > 0) await this.#deliver(1);
    this.#world.wait("deadline");
    await this.#follow("current");
    for (let round = 0; round < ROUNDS_OF_REST; round += 1) {
      this.#world.now += DAY;
      await this.#follow("current");
    }
    for (let round = 0; round < ROUNDS_OF_CALLBACKS && (await this.#tools.database.hastenAllRetries()); round += 1) {
      await this.#receive();
    }
  }

  #rested(): void {
    this.#occurrences.rest();
  }

  /** The meaning of an answer about another object is left to people: it opens an exception and changes nothing else. */
  #heard({ call, answer, before = [] }: Heard): void {
    for (const report of before) this.#observed(report);
    if (answer.kind === "report") this.#noteFunds(answer.report);
    if (call === "create") this.#played.push(`create ${this.#history.creations[this.#world.creations] ?? "answered"}`);
    if (answer.kind === "other_object") {
      this.#isContradicted = true;
      this.#world.answer = { kind: "no_news" };
    } else this.#world.answer = answer;
    if (call === "create") this.#side.create(this.#tools.provider.name);
    else if (this.#isHinted) this.#hinted(this.#world.answer);
    else if (call === "query") this.#polled(answer.kind);
    else if (this.#polls > 1) this.#side.cancel();
    else this.#side.query();
    if (answer.kind === "other_object") this.#side.hasEvidence = true;
  }

  /** Closing an intent begins with a poll, which decides if nothing can be closed. */
  #polled(kind: Heard["answer"]["kind"]): void {
    this.#polls += 1;
    if (this.#polls === 1) this.#side.query();
    else if (kind !== "no_news") this.#side.cancel();
  }

  #hinted(answer: Answer): void {
    if (answer.kind !== "report") return;
    const { now } = this.#world;
    // Callbacks of top-ups follow the real clock, by which the quote is valid.
    if (this.#history.kind === "topup") this.#world.now = 0;
    this.#side.send({ report: answer.report, fact: 0, askedAt: null, isFormer: false });
    this.#world.now = now;
    this.#side.hasEvidence = true;
  }

  /** A report that comes with another one in the same answer. */
  #observed(report: Report): void {
    this.#noteFunds(report);
    const at = this.#isHinted ? 0 : this.#world.now;
    const observation = { at, answer: { kind: "report", report, fact: 0 }, tick: this.#world.ticks } as const;
    const meaning = { ...observation, by: "query", isFormer: false, isLastWord: false, fact: 0 } as const;
    const apply: Parameters<Occurrences["answer"]>[0] = (oracle) => oracle.observe(meaning);
    if (this.#isHinted) this.#occurrences.callback(apply);
    else this.#occurrences.answer(apply);
  }

  /** The bounds of a disputed top-up follow from all totals that were reported. */
  #noteFunds(report: Report): void {
    if (report.status === "funds_seen") {
      this.#world.outbox.push({ report, fact: 0, askedAt: null, isFormer: false });
    }
  }

  /** Callbacks follow the real clock. */
  #isOver(): boolean {
    return !this.#isHinted && this.#world.now >= this.#world.asked.expiresAt;
  }

  async #judge(): Promise<string[]> {
    const { provider } = this.#tools;
    this.#world.close();
    const { currency } = provider.wanted(this.#history.kind);
    const oracle = oracleOf(this.#history, this.#world.asked, currency);
    for (const one of this.#occurrences.all) one.apply(oracle);
    oracle.rested();
    const actual = await this.#actual(currency);
    const found = oracle.isDisputed
      ? boundViolations(this.#history, this.#world, actual, currency)
      : violationsOf(this.#history.kind, this.#expectation(oracle.expectation()), actual);
    const truth = truthViolations(this.#history, this.#world, actual, this.#side.sentAfterAcceptance);
    const executions = this.#scene.executions();
    if (executions > 1 && !this.#isForgotten) truth.push(`the provider executed it ${executions} times`);
    truth.push(...this.#scene.wrongRequests);
    const setAside = (await this.#setAside()) - this.#setAsideBefore;
    if (setAside < this.#flaws) truth.push(`${setAside} callbacks opened an exception, not ${this.#flaws}`);
    return [...found, ...truth].map((one) => `${this.#id}: ${one}`);
  }

  #setAside(): Promise<number> {
    return this.#tools.database.setAsideOf(this.#tools.provider.name);
  }

  #expectation(expected: Expectation): Expectation {
    if (!this.#isContradicted) return expected;
    return { ...expected, exceptions: [...new Set([...expected.exceptions, "contradiction"])] };
  }

  async #actual(currency: string): Promise<Actual> {
    const { database } = this.#tools;
    const { status, failure } = await this.#desk.read();
    return {
      status,
      failureCode: failure?.code ?? null,
      ...walletOf(await database.bookedFor(this.#id), currency),
      exceptions: await database.exceptionsOf(this.#id),
      events: await database.eventsOf(this.#id),
    };
  }
}
