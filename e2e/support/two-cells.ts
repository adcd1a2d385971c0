// One service over two Postgres servers, each a cell.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OperatedService, startOperator } from "./operator";
import { type PostgresServer, startPostgres } from "./postgres/server";
import { type DatabaseVariables, freePort, onDatabase, type Service, startService } from "./service";
import type { Variables } from "./service-process";

export const CELL_NAMES = ["main", "eu2"] as const;
export type CellName = (typeof CELL_NAMES)[number];

export interface CellServers {
  readonly of: Readonly<Record<CellName, PostgresServer>>;
  /** What a service over both needs. */
  readonly variables: DatabaseVariables;
  /** Stops them and removes their files. */
  close(): Promise<void>;
}

export interface TwoCellService {
  readonly service: Service;
  /** The service with a process for the operator's commands. */
  readonly operated: OperatedService;
  /** Of each cell. */
  readonly servers: CellServers["of"];
  close(): Promise<void>;
}

/** The value of CELLS. */
export function cellsVariable(url: string): string {
  return JSON.stringify([{ name: "eu2", tag: "e2", url }]);
}

/** Starts two servers with an empty database each. */
export async function startCellServers(): Promise<CellServers> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-cells-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  // Both are on one disk here, unlike in production: the recovery of one would stall the commits of the other. What a killed
  // server has written is in the system's memory.
  const start = async (name: CellName) => startPostgres(join(folder, name), await freePort(), {}, ["fsync=off"]);
  const of = { main: await start("main"), eu2: await start("eu2") };
  return {
    of,
    variables: {
      ...onDatabase(of.main.url),
      CELLS: cellsVariable(of.eu2.url),
    },
    async close() {
      for (const server of Object.values(of)) if (server.pid() !== null) await server.stop("fast");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts both servers and the service; `env` are further variables of the service. */
export async function openTwoCellService(env: Variables = {}): Promise<TwoCellService> {
  const servers = await startCellServers();
  const database = servers.variables;
  const service = await startService({ database, env });
  const address = { baseUrl: service.baseUrl, dataDir: service.dataDir, database };
  const operator = await startOperator(address);
  return {
    service,
    operated: { ...address, operator },
    servers: servers.of,
    async close() {
      await operator.close();
      await service.dispose();
      await servers.close();
    },
  };
}
