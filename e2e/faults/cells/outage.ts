// Takes the database of one cell away while merchants of both work, and judges what each of them met.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { createPayment, untilStatus } from "../../rest/calls";
import { referenceOf } from "../../rest/database";
import { expect } from "../../support/fixtures";
import type { PostgresServer } from "../../support/postgres/server";
import { median } from "../../support/statistics";
import { sizeOf } from "../../support/tier";
import { type Attempt, type Load, startLoad, type Written } from "../postgres/load";
import { type CellParty, type CellsWorld, METRICS_TOKEN } from "./world";

/** The clients of a merchant, and their writes in a second. Few: both merchants and the service may share two cores. */
export const CALLERS = { clients: 3, perSecond: 9 };
/** A 503 is due within 5 s. On a busy machine a single one may take so much longer to reach its caller. */
const REFUSED_WITHIN_MS = 5_000;
const BUSY_MS = sizeOf({ representative: 5_000, deep: 0 });
const BEFORE = 15;
const AWAY = 30;
const AFTER = 15;
/**
 * The other cell's median answer may take so many times as long as before, and this much more on a busy machine. Whatever waits
 * for the absent cell takes a second or more.
 */
const SLOWER_AT_MOST = 2;
const SLOWER_BY_MS = sizeOf({ representative: 500, deep: 250 });
const POLL = { timeout: 120_000 };

/** How a database goes away; returns what brings it back. */
type Away = (server: PostgresServer) => Promise<() => Promise<void>>;

const startAgain = (server: PostgresServer) => () => server.start();

export const AWAYS = {
  "is stopped": async (server) => {
    await server.stop("fast");
    return startAgain(server);
  },
  "is killed with its postmaster": async (server) => {
    await server.killAll();
    return startAgain(server);
  },
  hangs: async (server) => {
    const all = [server.pid() ?? 0, ...server.children()];
    for (const pid of all) process.kill(pid, "SIGSTOP");
    return async () => {
      for (const pid of all) process.kill(pid, "SIGCONT");
    };
  },
} as const satisfies Readonly<Record<string, Away>>;

async function scrape({ service }: CellsWorld): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${service.baseUrl}/metrics`, { headers })).text();
}

async function readiness({ service }: CellsWorld): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${service.baseUrl}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

const until = (condition: () => boolean) => expect.poll(condition, POLL).toBe(true);

const medianMs = (attempts: readonly Attempt[]): number => median(attempts.map(({ ms }) => ms));

const attemptsOf = (written: readonly Written[]) => written.flatMap(({ attempts }) => attempts);

/** A payment that its payer pays while the database is away. */
async function payableOf({ live, database }: CellParty) {
  const { id } = await createPayment(live);
  return { id, reference: await referenceOf(database, id) };
}

interface Watched {
  readonly absent: CellParty;
  readonly other: CellParty;
  readonly goAway: Away;
  /** What else is looked at meanwhile. */
  readonly whileAway: () => Promise<void>;
}

const startClients = (party: CellParty) => startLoad(party, CALLERS);
const stopBoth = (loads: readonly [Load, Load]) => Promise.all([loads[0].stop(), loads[1].stop()]);

/**
 * Plays it. Expects that the absent cell's merchant gets 503 in time and nothing else, that the other one meets nothing, and
 * that everything settles once the database is back, without a restart.
 */
export async function playAway(world: CellsWorld, { absent, other, goAway, whileAway }: Watched): Promise<void> {
  const { psp, service } = world;
  const { pid } = service;
  const [ofAbsent, ofOther] = await Promise.all([payableOf(absent), payableOf(other)]);
  const usual = [startClients(absent), startClients(other)] as const;
  await until(() => usual.every((load) => load.count() >= BEFORE));
  const [absentBefore, otherBefore] = await stopBoth(usual);

  const loads = [startClients(absent), startClients(other)] as const;
  const [lost, kept] = loads;
  const comeBack = await goAway(absent.server);
  const paidWhileAway: number[][] = [];
  try {
    await expect
      .poll(() => readiness(world), POLL)
      .toEqual({
        status: 200,
        body: { status: "ready", absent_cells: [absent.cell] },
      });
    await expect.poll(() => scrape(world), POLL).toContain(`sluice_database_up{cell="${absent.cell}"} 0`);
    expect(await scrape(world)).toContain(`sluice_database_up{cell="${other.cell}"} 1`);
    // The provider's callbacks: those of the absent cell are to be repeated, the other's are accepted and booked.
    for (const { reference } of [ofAbsent, ofOther])
      paidWhileAway.push(await psp.happen({ reference, event: "executed" }));
    await untilStatus<PaymentIntentResource>(other.live, ofOther.id, ["succeeded"]);
    await whileAway();
    await until(() => kept.count() >= AWAY);
  } finally {
    await comeBack();
  }
  expect(paidWhileAway).toEqual([[503], [200]]);

  const back = loads.map((load) => load.count());
  await until(() => loads.every((load, at) => load.count() >= (back[at] ?? 0) + AFTER));
  const [absentWrites, otherWrites] = await stopBoth([lost, kept]);
  await expect.poll(() => readiness(world), POLL).toEqual({ status: 200, body: { status: "ready" } });
  await expect.poll(() => psp.sendCallback({ reference: ofAbsent.reference }), POLL).toEqual([200]);
  await untilStatus<PaymentIntentResource>(absent.live, ofAbsent.id, ["succeeded"]);

  const refused = attemptsOf(absentWrites).filter(({ status }) => status === 503);
  expect(refused.length, "the absent cell's merchant was refused").toBeGreaterThan(0);
  expect(medianMs(refused), "the median refusal").toBeLessThan(REFUSED_WITHIN_MS);
  const met = attemptsOf(otherWrites).filter(({ status }) => status !== 201);
  expect(met, "what the other cell's merchant met").toEqual([]);
  const bound = medianMs(attemptsOf(otherBefore)) * SLOWER_AT_MOST + SLOWER_BY_MS;
  expect(medianMs(attemptsOf(otherWrites)), "the other cell's median answer").toBeLessThan(bound);
  const problems = await Promise.all([
    absent.judge([...absentBefore, ...absentWrites], { heldMs: BUSY_MS }),
    other.judge([...otherBefore, ...otherWrites], { heldMs: BUSY_MS }),
  ]);
  expect(problems).toEqual([[], []]);
  expect(service.pid, "the service was not restarted").toBe(pid);
}
