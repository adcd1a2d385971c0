// The one service that most specs of a run share: started before them, stopped after them, known to every worker.
import { AWAY, openPooledDatabase } from "./pooled-database";
import { onDatabase, type ServiceAddress, startService } from "./service";
import { CELL_NAMES, type CellServers, startCellServers } from "./two-cells";

const VARIABLE = "SLUICE_E2E_SERVICE";

/** The address of the shared service. Throws outside a run. */
export function sharedService(): ServiceAddress {
  const address = process.env[VARIABLE];
  if (!address) throw new Error("no shared service: specs are run by npm run test:e2e");
  return JSON.parse(address) as ServiceAddress;
}

interface Cells {
  readonly servers: CellServers;
  /** Where the specs' merchants are. */
  readonly cell: NonNullable<ServiceAddress["cell"]>;
}

async function openCells(wanted: string | undefined): Promise<Cells | null> {
  if (!wanted) return null;
  const name = CELL_NAMES.find((one) => one === wanted);
  if (!name) throw new TypeError(`SPEC_CELL is "${wanted}"; it must be one of ${CELL_NAMES.join(", ")}`);
  const servers = await startCellServers();
  return { servers, cell: { name, databaseUrl: servers.of[name].url } };
}

/**
 * SPEC_PROCESSES sets the number of web processes and workers. SPEC_DATABASE_URL names an empty database to use instead of the
 * embedded one. SPEC_POOLER=pgbouncer puts a pooler before the database, and names a replica for reports that is away.
 * SPEC_CELL=eu2 puts the service over two Postgres servers, and all merchants of the specs into that cell. Playwright calls this once before all specs, and calls the returned function once after them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const processes = process.env.SPEC_PROCESSES;
  const cells = await openCells(process.env.SPEC_CELL);
  const pooled = process.env.SPEC_POOLER === "pgbouncer" ? await openPooledDatabase() : null;
  const given = process.env.SPEC_DATABASE_URL;
  const service = await startService({
    env: {
      ...(processes ? { WEB_CONCURRENCY: processes, WORKER_CONCURRENCY: processes } : {}),
      ...(pooled ? AWAY : {}),
    },
    ...(given && { database: onDatabase(given) }),
    ...(pooled && { database: pooled.variables }),
    ...(cells && { database: cells.servers.variables }),
  });
  const { baseUrl, dataDir, database } = service;
  process.env[VARIABLE] = JSON.stringify({ baseUrl, dataDir, database, cell: cells?.cell });
  return async () => {
    await service.dispose();
    await pooled?.close();
    await cells?.servers.close();
  };
}
