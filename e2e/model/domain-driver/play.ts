// Plays a history from creation to rest against the domain and checks every step against the oracle.

import { payoutHold } from "@/server/domain/ledger";
import { isTerminalPayment } from "@/server/domain/payment-intent";
import { decideApproval, decideCancel, decideLapse } from "@/server/domain/payout-gate";
import { isTerminalPayout, type PayoutIntent } from "@/server/domain/payout-intent";
import { isTerminalTopup } from "@/server/domain/topup-intent";
import type { IntentCore } from "@/server/domain/transition";
import { boundViolations, truthViolations } from "../oracle/bounds";
import { violationsOf } from "../oracle/compare";
import type { Actual } from "../oracle/observation";
import { type Oracle, oracleOf } from "../oracle/oracle";
import type { Asked, History, Step } from "../world/history";
import type { Delivery } from "../world/reports";
import { World } from "../world/world";
import { type Course, PAYMENT, PAYOUT, paymentOf, payoutOf, TOPUP, topupOf } from "./course";
import { Player } from "./player";
import { Shell } from "./shell";

const DESTINATION = "BRL";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface Played {
  /** As text; empty if the service was right. */
  readonly violations: readonly string[];
  readonly edges: readonly string[];
  readonly pairs: readonly string[];
  readonly faults: ReadonlyMap<string, number>;
  /** At rest, with the times of its changes. */
  readonly intent: IntentCore<string>;
}

interface Game<Intent extends IntentCore<string>> {
  readonly history: History;
  readonly world: World;
  readonly oracle: Oracle;
  readonly player: Player<Intent>;
  /** The merchant's side of a payout; null for other kinds. */
  readonly gate: Gate | null;
}

/** Approvals, cancellation and lapse of a payout. */
interface Gate {
  approve(at: Date): void;
  cancel(at: Date): void;
  lapse(at: Date): void;
}

function gateOf(shell: Shell<PayoutIntent>, oracle: Oracle): Gate {
  const atGate = () => shell.intent.status === "requires_approval";
  return {
    approve(at) {
      if (!atGate()) return;
      oracle.approve();
      shell.run((intent) => decideApproval(intent, { isMaker: false, authorityFrom: intent.createdAt }, at));
    },
    cancel(at) {
      if (!atGate()) return;
      oracle.cancel();
      shell.run((intent) => decideCancel(intent, "changed our mind", at));
    },
    lapse(at) {
      if (atGate()) oracle.cancel();
      shell.run((intent) => decideLapse(intent, at));
    },
  };
}

/** The observable state of the intent, as the API and the ledger would show it. */
function actualOf<Intent extends IntentCore<string>>({ player: { shell } }: Game<Intent>): Actual {
  const held = shell.ledger.balance("held");
  const available = shell.ledger.balance("available");
  const wallet = (available[DESTINATION] ?? 0n) + (held[DESTINATION] ?? 0n);
  return {
    status: shell.intent.status,
    failureCode: shell.intent.failure?.code ?? null,
    wallet,
    held: held[DESTINATION] ?? 0n,
    suspense: shell.ledger.balance("suspense"),
    exceptions: shell.exceptions.map(({ kind }) => kind),
    events: shell.events,
  };
}

function take<Intent extends IntentCore<string>>(game: Game<Intent>, step: Step): void {
  const { world, player, gate } = game;
  switch (step.do) {
    case "wait":
      return world.wait(step.wait);
    case "fact":
      return world.happen(step.fact);
    case "approve":
      gate?.approve(player.now);
      // The worker processes an approved payout immediately.
      if (player.shell.intent.status === "processing") look(game, "current");
      return;
    case "cancel":
      return gate?.cancel(player.now);
    // The domain decides on reports that were read and matched.
    case "misdeliver":
      return;
    default: {
      const deliveries = world.take(step.items);
      if (step.do === "deliver") return player.deliver(deliveries);
      return look(game, step.course, deliveries);
    }
  }
}

function look<Intent extends IntentCore<string>>(
  { world, player, gate }: Game<Intent>,
  course: Parameters<Player<Intent>["look"]>[0],
  deliveries: readonly Delivery[] = [],
): void {
  if (player.shell.intent.status !== "requires_approval") {
    player.look(course, player.arrivalsOf(deliveries));
    return;
  }
  player.deliver(deliveries);
  if (world.now >= world.asked.expiresAt) gate?.lapse(player.now);
}

/** Undelivered callbacks arrive or are lost for good; then the worker polls until days have passed. */
function rest<Intent extends IntentCore<string>>(game: Game<Intent>): void {
  const { world, player } = game;
  for (const delivery of world.takeRest()) player.deliver([delivery]);
  world.wait("deadline");
  look(game, "current");
  for (let days = 0; days < 4; days += 1) {
    world.now += DAY;
    look(game, "current");
  }
}

function violations<Intent extends IntentCore<string>>(game: Game<Intent>, isAtRest: boolean): string[] {
  const { history, world, oracle, player } = game;
  const actual = actualOf(game);
  const truth = truthViolations(history, world, actual, player.sentAfterAcceptance);
  if (oracle.isDisputed) return [...truth, ...boundViolations(history, world, actual, DESTINATION)];
  if (!isAtRest && !oracle.isStepwise) return truth;
  return [...truth, ...violationsOf(history.kind, oracle.expectation(), actual)];
}

function run<Intent extends IntentCore<string>>(game: Game<Intent>): Played {
  const { history, world, oracle, player } = game;
  const { pairs } = player;
  const found: string[] = [];
  try {
    if (history.kind !== "payout") player.send();
    for (const step of history.steps) {
      take(game, step);
      found.push(...violations(game, false).map((one) => `after ${JSON.stringify(step)}: ${one}`));
      if (found.length > 0) break;
    }
    if (found.length === 0) {
      rest(game);
      oracle.rested();
      found.push(...violations(game, true).map((one) => `at rest: ${one}`));
    }
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  const { edges, intent } = player.shell;
  return { violations: found, edges, pairs, faults: world.faults, intent };
}

function gameOf<Intent extends IntentCore<string>>(
  history: History,
  shell: Shell<Intent>,
  asked: Asked,
  course: Course<Intent>,
  isTerminal: (intent: Intent) => boolean,
): Omit<Game<Intent>, "gate"> {
  const world = new World(history, asked);
  const oracle = oracleOf(history, asked, DESTINATION);
  return { history, world, oracle, player: new Player(shell, world, course, oracle, (intent) => !isTerminal(intent)) };
}

const windowOf = ({ createdAt }: IntentCore<string>, end: Date) => end.getTime() - createdAt.getTime();

/** Plays one history, deterministically. */
export function play(history: History): Played {
  if (history.kind === "payment") {
    const intent = paymentOf();
    const asked = { amount: intent.amount, currency: intent.currency, expiresAt: windowOf(intent, intent.expiresAt) };
    const shell = new Shell(intent);
    return run({ ...gameOf(history, shell, asked, PAYMENT, isTerminalPayment), gate: null });
  }
  if (history.kind === "payout") {
    const intent = payoutOf(history);
    const lapse = intent.dueAt ?? intent.createdAt;
    const asked = { amount: intent.amount, currency: intent.currency, expiresAt: windowOf(intent, lapse) };
    const shell = new Shell(intent, [payoutHold(intent)]);
    const game = gameOf(history, shell, asked, PAYOUT, isTerminalPayout);
    return run({ ...game, gate: gateOf(shell, game.oracle) });
  }
  const intent = topupOf(history);
  const asked = {
    amount: intent.sourceAmount,
    currency: intent.sourceCurrency,
    expiresAt: windowOf(intent, intent.expiresAt),
  };
  const shell = new Shell(intent);
  return run({ ...gameOf(history, shell, asked, TOPUP, isTerminalTopup), gate: null });
}
