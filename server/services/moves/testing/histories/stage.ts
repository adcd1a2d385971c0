// The stage of one history: three new cells, a provider, a receiver of webhooks, and what goes wrong with a cell.
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inject } from "vitest";
import { disconnect } from "@/server/db/client";
import { clearCaches } from "@/server/db/testing/failing-statements";
import { allCells, type Cell, inEachCell } from "@/server/platform/cell";
import { flushApiLog } from "@/server/services/api-logs/record";
import { inCellThatKnows } from "@/server/services/cells/moved";
import { prepareDispatch } from "@/server/services/dispatch/control";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { openThreeCells, type ThreeCells } from "../three-cells";
import { type HistoryProvider, startHistoryProvider } from "./provider";

/** What happened in a history, by name. */
export type Counts = Map<string, number>;

export interface Stage {
  readonly provider: HistoryProvider;
  /** Where webhooks go, and the ids of the events that came. */
  readonly hooksUrl: string;
  readonly received: string[];
  readonly counts: Counts;
  /** What was not as it must be. */
  readonly problems: string[];
  /** The acts so far, for the message of a failure. */
  readonly acts: string[];
  count(name: string): void;
  /** Copies the cell's database; returns the copy's address. */
  backUp(cell: Cell): Promise<string>;
  /** Lets the cell be another database from now on, as a restore does. */
  pointTo(cell: Cell, url: string): Promise<void>;
  /** Runs work while nothing answers at the cell's address. */
  whileAway(cell: Cell, work: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

const CLOSED_PORT = "9";

export async function openStage(): Promise<Stage> {
  const template = inject("databaseTemplate");
  const server = addressOf(template, "postgres");
  const first = await createDatabase(server, `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template));
  const cells = await openThreeCells(first);
  await inEachCell(async () => {
    await prepareReferences();
    await prepareDispatch();
  });
  const provider = await startHistoryProvider();
  const received: string[] = [];
  const receiver = await startReceiver(received);
  const urls = [...cells.own];
  const point = async (at: number, url: string) => {
    await flushApiLog();
    await cells.pointTo(urls.map((one, place) => (place === at ? url : one)));
    clearCaches();
  };
  const placeOf = (cell: Cell) => allCells().findIndex((one) => one.name === cell.name);
  const counts: Counts = new Map();
  return {
    provider,
    hooksUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
    received,
    counts,
    problems: [],
    acts: [],
    count: (name) => counts.set(name, (counts.get(name) ?? 0) + 1),
    async backUp(cell) {
      await flushApiLog();
      return cells.backUp(cell);
    },
    async pointTo(cell, url) {
      const at = placeOf(cell);
      urls[at] = url;
      await point(at, url);
    },
    async whileAway(cell, work) {
      const at = placeOf(cell);
      await Promise.all(allCells().map(readPassages));
      const away = new URL(addressOf(template, "nothing"));
      away.port = CLOSED_PORT;
      await point(at, away.href);
      try {
        await work();
      } finally {
        await point(at, urls[at] ?? "");
      }
    },
    end: () => endStage({ cells, first, server, provider, receiver }),
  };
}

/** Lets this process read where a cell's fences lead: what it knows is of an earlier history. */
async function readPassages(start: Cell): Promise<void> {
  const isUnknown = () => true;
  const work = async () => {
    throw new Error("unknown");
  };
  await inCellThatKnows(start, isUnknown, work).catch(() => undefined);
}

interface Opened {
  readonly cells: ThreeCells;
  readonly first: string;
  readonly server: string;
  readonly provider: HistoryProvider;
  readonly receiver: Server;
}

async function endStage({ cells, first, server, provider, receiver }: Opened): Promise<void> {
  await flushApiLog();
  await provider.stop();
  receiver.close();
  receiver.closeAllConnections();
  await cells.end();
  await disconnect();
  await dropDatabase(server, first);
}

async function startReceiver(received: string[]): Promise<Server> {
  const receiver = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  return receiver;
}
