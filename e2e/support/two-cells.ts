// One service over two Postgres servers, each a cell.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OperatedService, startOperator } from "./operator";
import { type PostgresServer, startPostgres } from "./postgres/server";
import { freePort, type Service, startService } from "./service";
import type { Variables } from "./service-process";

export const CELL_NAMES = ["main", "eu2"] as const;

export interface TwoCellService {
  readonly service: Service;
  /** The service with a process for the operator's commands. */
  readonly operated: OperatedService;
  /** Of the first cell and of the second. */
  readonly servers: readonly [PostgresServer, PostgresServer];
  close(): Promise<void>;
}

const key = () => randomBytes(32).toString("base64");
/** Releases refuse such a configuration until every request finds its cell. */
const SERVES_SEVERAL = "--import=data:text/javascript,globalThis.sluiceServesSeveralCells=true";

/** Starts both servers and the service; `env` are further variables of the service. */
export async function openTwoCellService(env: Variables = {}): Promise<TwoCellService> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-cells-"));
  // Postgres may run as another user, who needs access through this folder to its own.
  chmodSync(folder, 0o711);
  const servers: PostgresServer[] = [];
  for (const name of CELL_NAMES) servers.push(await startPostgres(join(folder, name), await freePort()));
  const [main, eu2] = servers as [PostgresServer, PostgresServer];
  const database = {
    DATABASE_URL: main.url,
    CELLS: JSON.stringify([{ name: "eu2", tag: "e2", url: eu2.url }]),
    NODE_OPTIONS: SERVES_SEVERAL,
    SLUICE_SECRETS: key(),
    REFERENCE_KEY: key(),
  };
  const service = await startService({ database, env });
  const address = { baseUrl: service.baseUrl, dataDir: service.dataDir, database };
  const operator = await startOperator(address);
  return {
    service,
    operated: { ...address, operator },
    servers: [main, eu2],
    async close() {
      await operator.close();
      await service.dispose();
      for (const server of servers) if (server.pid() !== null) await server.stop("fast");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
