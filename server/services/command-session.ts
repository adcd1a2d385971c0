// Configuration, database and shutdown of a command-line process.
import { disconnect } from "@/server/db/client";
import { migrate } from "@/server/db/migrate";
import { allCells, inCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { reachEveryMerchant } from "@/server/platform/reach";
import { openRuntime } from "@/server/platform/runtime";
import { prepareReferences } from "./dispatch-references/prepare";

export interface CommandSession {
  /** Closes the connections, and the embedded database if this process started it. */
  close(): Promise<void>;
}

/**
 * Connects to the operator's database or the running service's embedded one, or starts and migrates the embedded one.
 * `migrates` also migrates an operator's database, that of the first cell. Throws ConfigurationError.
 */
export async function openCommandSession(options: { readonly migrates: boolean }): Promise<CommandSession> {
  reachEveryMerchant();
  const { embedded, close } = await openRuntime("command");
  const end = async () => {
    try {
      await disconnect();
    } finally {
      await close();
    }
  };
  try {
    const isOwn = embedded !== null && !embedded.isShared;
    if (isOwn || options.migrates) {
      const { databaseUrl, databaseDirectUrl } = env();
      await migrate(databaseDirectUrl ?? databaseUrl ?? "");
      await inCell(allCells()[0], prepareReferences);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { close: end };
}
