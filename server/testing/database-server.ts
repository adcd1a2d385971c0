// The Postgres of a test run: one server, one migrated template, and a copy of it for every test file.
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "@/server/db/migrate";
import { startEmbeddedPostgres } from "@/server/platform/embedded-postgres";
import { createDatabase, dropDatabase } from "./databases";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the migrated database that test files copy. Nothing may stay connected to it. */
    databaseTemplate: string;
  }
}

interface Server {
  /** Address of a database on the server that always exists. */
  readonly url: string;
  end(): Promise<void>;
}

/** TEST_DATABASE_URL names a server to use instead, to run the same tests on other versions of Postgres. */
async function openServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, end: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), "sluice-test-"));
  // The server may run as another user, who needs access through this folder to its own.
  await chmod(dataDir, 0o711);
  const removeData = () => rm(dataDir, { recursive: true, force: true });
  try {
    const embedded = await startEmbeddedPostgres({ dataDir });
    const end = async () => {
      await embedded.stop();
      await removeData();
    };
    return { url: embedded.url, end };
  } catch (error) {
    await removeData();
    throw error;
  }
}

/** Vitest calls this once before the database tests, and calls the returned function once after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vite sets this variable to its own base path; the service would read it as its origin.
  delete process.env.BASE_URL;
  const server = await openServer();
  const end = async (template: string | null) => {
    if (template) await dropDatabase(server.url, template);
    await server.end();
  };
  try {
    const template = await createDatabase(server.url, `sluice_template_${randomBytes(6).toString("hex")}`, "template0");
    await migrate(template);
    project.provide("databaseTemplate", template);
    return () => end(template);
  } catch (error) {
    await end(null);
    throw error;
  }
}
