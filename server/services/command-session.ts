// What a process at the command line needs around its work: configuration, a database, and their orderly end.
import { disconnect } from "@/server/db/client";
import { migrate } from "@/server/db/migrate";
import { env } from "@/server/platform/env";
import { openRuntime } from "@/server/platform/runtime";
import { prepareReferences } from "./dispatch-references/prepare";

export interface CommandSession {
  /** Closes the connections, and the embedded database if this process started it. */
  close(): Promise<void>;
}

/**
 * Connects to the operator's database, to the running service's embedded one, or starts the embedded one for itself and
 * brings it up to date; `migrates` brings an operator's database up to date too. Throws ConfigurationError.
 */
export async function openCommandSession(options: { readonly migrates: boolean }): Promise<CommandSession> {
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
      await migrate(env().databaseUrl ?? "");
      await prepareReferences();
    }
  } catch (error) {
    await end();
    throw error;
  }
  return { close: end };
}
