// Kills a move at one of its statements, as SIGKILL would: all of its connections break at once.
import { Client } from "pg";
import { vi } from "vitest";
import { MOVER_NAME } from "@/server/db/moves/owner";

/** What @types/pg leaves out of a client. */
interface Connected {
  readonly connectionParameters: { readonly application_name?: string };
  readonly connection: { readonly stream: { destroy(): void } };
}

export interface KilledMover {
  /** Statements that moves have sent so far. */
  sent(): number;
  restore(): void;
}

/**
 * Breaks the connections of moves at their statement `at`, counted from 0, or at the first one that matches: before it is sent,
 * or once it has been executed and its answer is lost. Without `at`, it only counts.
 */
export function killMover(at: number | RegExp | null = null, isExecuted = false): KilledMover {
  let isOver = false;
  const isIt = (number: number, sql: unknown): boolean => {
    if (isOver || at === null || !(typeof at === "number" ? number === at : at.test(String(sql)))) return false;
    isOver = true;
    return true;
  };
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => Promise<unknown>;
  const movers = new Set<Connected>();
  let sent = 0;
  const breakAll = () => {
    for (const mover of movers) mover.connection.stream.destroy();
  };
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const mover = this as unknown as Connected;
    if (mover.connectionParameters.application_name !== MOVER_NAME) return own.apply(this, given) as never;
    movers.add(mover);
    sent += 1;
    if (!isIt(sent - 1, given[0])) return own.apply(this, given) as never;
    if (isExecuted) return own.apply(this, given).finally(breakAll).then(lost, lost) as never;
    breakAll();
    return lost() as never;
  } as never);
  return { sent: () => sent, restore: () => spy.mockRestore() };
}

async function lost(): Promise<never> {
  throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
}

export interface HeldMover {
  /** Resolves once a move is about to send the statement. */
  readonly held: Promise<void>;
  /** Lets it send it. */
  goOn(): void;
  restore(): void;
}

/** Stops moves before their first statement that matches, as a process that the system has stopped. */
export function holdMover(statement: RegExp): HeldMover {
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => Promise<unknown>;
  let [noteHeld, goOn] = [() => {}, () => {}];
  const held = new Promise<void>((resolve) => {
    noteHeld = resolve;
  });
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const mover = this as unknown as Connected;
    const isIt = mover.connectionParameters.application_name === MOVER_NAME && statement.test(String(given[0]));
    if (!isIt) return own.apply(this, given) as never;
    noteHeld();
    return released.then(() => own.apply(this, given)) as never;
  } as never);
  return { held, goOn, restore: () => spy.mockRestore() };
}
