// Plays one history of merchants that work while they are moved between cells, drawn from a seed.
import { setTimeout as sleep } from "node:timers/promises";
import { type Random, randomOf } from "@/e2e/faults/fuzz/random";
import { allCells, inEachCell } from "@/server/platform/cell";
import { settleStays } from "@/server/services/cells/settle-stays";
import { PATIENCE_MS, sendAllOpen } from "./client";
import { judge, requireOpen } from "./judge";
import { actOf, type HistoryMerchant, makeHistoryMerchant, sendCallbacks } from "./merchant";
import {
  abortOrFinish,
  cellNamed,
  elsewhere,
  finishOpen,
  openMoveOf,
  requireDone,
  tryAbort,
  tryMove,
  whileHolding,
  whileKilling,
} from "./operator";
import { type Backups, backUp, restore, restoreToNow } from "./restores";
import { openStage, type Stage } from "./stage";
import { workIn, workOffEverything, workUntilQuiet } from "./worker";

export interface PlayedHistory {
  readonly seed: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly problems: readonly string[];
  readonly acts: readonly string[];
}

/** What the acts of a history are about. */
export interface Play {
  readonly stage: Stage;
  readonly merchants: readonly HistoryMerchant[];
  readonly random: Random;
  /** Of a history in which cells are restored. */
  readonly backups: Backups;
  /** Another source of choices, for what happens beside. */
  branch(): Random;
}

type Act = (play: Play) => Promise<void>;

/** A history takes some seconds on an idle machine. */
const HANGS_AFTER_MS = 600_000;
const FEWEST_ACTS = 8;
const MORE_ACTS = 6;
/** In one of so many histories, cells are restored to backups. */
const RESTORED = 3;

/** Plays the history of a seed on cells of its own. Does not throw for what is wrong: that is among its problems. */
export async function playHistory(seed: number): Promise<PlayedHistory> {
  const random = randomOf(seed, 0);
  const stage = await openStage();
  try {
    const environments = random.chance(0.5) ? (["test", "live"] as const) : (["live", "test", "test"] as const);
    const merchants: HistoryMerchant[] = [];
    for (const environment of environments)
      merchants.push(await makeHistoryMerchant(random.pick(allCells()), environment));
    let branches = 0;
    const branch = () => {
      branches += 1;
      return randomOf(seed, branches);
    };
    const play: Play = { stage, merchants, random, branch, backups: [] };
    const bag = seed % RESTORED === 0 ? [...BAG, ...RESTORE_BAG] : BAG;
    for (const merchant of merchants) await work(play, merchant);
    const rest = async () => {
      const acts = FEWEST_ACTS + random.below(MORE_ACTS);
      for (let at = 0; at < acts; at += 1) await random.pick(bag)(play);
      await endHistory(play);
    };
    const late = sleep(HANGS_AFTER_MS, "late", { ref: false });
    if ((await Promise.race([rest(), late])) === "late") stage.problems.push("the history does not come to its end");
  } catch (error) {
    stage.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await stage.end();
  }
  return { seed, counts: stage.counts, problems: stage.problems, acts: stage.acts };
}

/** Everything that was begun is ended, and then judged. */
async function endHistory(play: Play): Promise<void> {
  const { stage, merchants, random } = play;
  stage.acts.push("the end");
  // A worker opens merchants whose move was killed.
  await workUntilQuiet(stage);
  for (const merchant of merchants) await requireOpen(stage, merchant.books);
  for (const merchant of merchants)
    await (random.chance(0.3) ? abortOrFinish(stage, merchant) : finishOpen(stage, merchant));
  for (const merchant of merchants) {
    await sendAllOpen(stage, merchant.books, PATIENCE_MS.much);
    await sendCallbacks(stage, merchant);
  }
  await workOffEverything(stage);
  await judge(stage, merchants);
}

const tell = ({ stage, merchants }: Play, what: string, merchant?: HistoryMerchant) =>
  stage.acts.push(merchant ? `${what} (merchant ${merchants.indexOf(merchant)})` : what);

const ACTS_AT_ONCE = 5;

/** Some acts of a merchant, one after the other. */
async function work({ stage, random }: Play, merchant: HistoryMerchant): Promise<void> {
  for (let at = 1 + random.below(ACTS_AT_ONCE); at > 0; at -= 1)
    await actOf(stage, merchant, random, PATIENCE_MS.little);
}

const ACTS_BESIDE = 40;
const ROUNDS_BESIDE = 3;
/** Before an act of a client: the mover shares this process with clients, the service and a worker. */
const PAUSE_MS = 80;

/** Does something while the merchants work, each on its own, and mostly a worker too. */
async function besideWork(
  play: Play,
  merchants: readonly HistoryMerchant[],
  what: () => Promise<unknown>,
): Promise<void> {
  const { stage, branch } = play;
  let isOver = false;
  const doing = what().finally(() => {
    isOver = true;
  });
  const client = async (merchant: HistoryMerchant, random: Random) => {
    for (let acts = 0; acts < ACTS_BESIDE && !isOver; acts += 1) {
      await sleep(PAUSE_MS);
      await actOf(stage, merchant, random, PATIENCE_MS.little);
      stage.count("acts beside a move");
    }
  };
  const worker = async (random: Random) => {
    for (let rounds = random.below(ROUNDS_BESIDE + 1); rounds > 0 && !isOver; rounds -= 1)
      await workIn(stage, random.pick(allCells()));
  };
  await Promise.all([doing, worker(branch()), ...merchants.map((merchant) => client(merchant, branch()))]);
}

/** The move that goes on, or a new one. */
async function targetOf({ random }: Play, merchant: HistoryMerchant) {
  const open = await openMoveOf(merchant);
  return open ? cellNamed(open.to) : elsewhere(merchant, random);
}

const workAct: Act = async (play) => {
  const merchant = play.random.pick(play.merchants);
  tell(play, "works", merchant);
  await work(play, merchant);
};

const workerAct: Act = async (play) => {
  const { stage, random } = play;
  const cells = random.chance(0.5) ? allCells() : [random.pick(allCells())];
  tell(play, `a worker in ${cells.map(({ name }) => name).join(", ")}`);
  for (const cell of cells) await workIn(stage, cell);
};

const moveAct: Act = async (play) => {
  const { stage, random } = play;
  const merchant = random.pick(play.merchants);
  const to = await targetOf(play, merchant);
  const isBusy = random.chance(0.8);
  tell(play, `moves to ${to.name}${isBusy ? " while it works" : ""}`, merchant);
  const moving = () => requireDone(stage, merchant, to);
  const doing = () => (random.chance(0.6) ? whileHolding(stage, random, moving) : moving());
  await (isBusy ? besideWork(play, [merchant], doing) : doing());
};

const killAct: Act = async (play) => {
  const { stage, random } = play;
  const merchant = random.pick(play.merchants);
  const to = await targetOf(play, merchant);
  const isBusy = random.chance(0.7);
  tell(play, `is killed on its way to ${to.name}${isBusy ? " while it works" : ""}`, merchant);
  const doing = () =>
    whileKilling(random, async () => {
      const { code } = await tryMove(stage, merchant, to);
      if (code === "service_unavailable") stage.count("kills");
    });
  await (isBusy ? besideWork(play, [merchant], doing) : doing());
};

const againAct: Act = async (play) => {
  const { stage } = play;
  for (const merchant of play.merchants) {
    const open = await openMoveOf(merchant);
    if (!open) continue;
    tell(play, `the command runs again, to ${open.to}`, merchant);
    await besideWork(play, [merchant], () => finishOpen(stage, merchant));
    return;
  }
};

const abortAct: Act = async (play) => {
  const { stage, random } = play;
  for (const merchant of play.merchants) {
    if (!(await openMoveOf(merchant))) continue;
    const isKilled = random.chance(0.3);
    tell(play, `--abort${isKilled ? " is killed, and runs again" : ""}`, merchant);
    if (isKilled) await whileKilling(random, () => tryAbort(stage, merchant));
    await besideWork(play, [merchant], () => abortOrFinish(stage, merchant));
    return;
  }
};

/** Two moves at once: of two merchants, or of one to two cells. */
const twoAct: Act = async (play) => {
  const { stage, random } = play;
  const [one, other] = [random.pick(play.merchants), random.pick(play.merchants)];
  if (!one || !other) return;
  const [there, beyond] = [await targetOf(play, one), await targetOf(play, other)];
  tell(play, `two moves at once, to ${there.name} and to ${beyond.name}`, one);
  const both = () => Promise.all([tryMove(stage, one, there), tryMove(stage, other, beyond)]);
  const isKilled = random.chance(0.3);
  await besideWork(play, [...new Set([one, other])], () => (isKilled ? whileKilling(random, both) : both()));
  stage.count(one === other ? "two moves of one merchant" : "two moves of two merchants");
  // Of two commands about one merchant, either may have been refused.
  if (one === other) one.books.home = null;
};

/** A cell is away for some acts. No move begins or goes on then. */
const awayAct: Act = async (play) => {
  const { stage, merchants, random } = play;
  const away = random.pick(allCells());
  tell(play, `${away.name} is away`);
  await stage.whileAway(away, async () => {
    for (const merchant of merchants) await work(play, merchant);
    for (const cell of allCells()) await workIn(stage, cell);
    const merchant = random.pick(merchants);
    const { home } = merchant.books;
    const result = await tryMove(stage, merchant, elsewhere(merchant, random));
    if (result["code"] === undefined) stage.problems.push(`a move went on while ${away.name} was away`);
    merchant.books.home = home;
    stage.count("cells away");
  });
  await inEachCell(settleStays);
};

const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [2, workAct],
  [2, workerAct],
  [3, moveAct],
  [7, killAct],
  [2, againAct],
  [3, abortAct],
  [2, twoAct],
  [1, awayAct],
];
const BAG = ACTS.flatMap(([weight, one]) => Array.from({ length: weight }, () => one));

const backUpAct: Act = async (play) => {
  const { stage, merchants, random, backups } = play;
  const cell = random.pick(allCells());
  tell(play, `backup ${backups.length}, of ${cell.name}`);
  await backUp(stage, merchants, backups, cell);
};

/** As the docs say, the new cell is backed up right after a move. */
const moveAndBackUpAct: Act = async (play) => {
  const { stage, merchants, backups } = play;
  await moveAct(play);
  for (const cell of allCells()) {
    tell(play, `backup ${backups.length}, of ${cell.name}`);
    await backUp(stage, merchants, backups, cell);
  }
};

const restoreAct: Act = async ({ stage, merchants, random, backups }) => {
  await restore(stage, merchants, backups, random);
};

/** Also in the middle of a move that was killed. */
const restoreToNowAct: Act = async (play) => {
  const cell = play.random.pick(allCells());
  tell(play, `${cell.name} is restored to a moment ago`);
  await restoreToNow(play.stage, cell);
};

const RESTORE_BAG: readonly Act[] = [
  ...Array.from({ length: 3 }, () => backUpAct),
  ...Array.from({ length: 6 }, () => moveAndBackUpAct),
  ...Array.from({ length: 9 }, () => restoreAct),
  ...Array.from({ length: 2 }, () => restoreToNowAct),
];
