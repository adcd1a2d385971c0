// The two kinds of tests beside the sources: those that need nothing, and those that need a real Postgres.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
const exclude = ["**/node_modules/**", "**/.next/**", "**/.data/**"];
/** Modules in these folders keep no state, so their tests can share a worker. Loading them again for each file took longer than the tests. */
const pure = ["components", "server/contract", "server/domain"].map((folder) => `${folder}/**/*.test.ts`);

export default defineConfig({
  root,
  resolve: { alias: { "@": root.replace(/\/$/, "") } },
  cacheDir: "node_modules/.vite",
  test: {
    // Vite would put its base path, "/", into a variable that the service reads as its origin.
    env: { BASE_URL: "http://localhost:3000" },
    // Bounds for what hangs, not for what is slow: a busy machine must not fail a test that is right.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest leaves one core idle by default, of two. Tests on the database wait for it most of their time.
    maxWorkers: availableParallelism() + 1,
    expect: { poll: { timeout: 30_000 } },
    // Messages of failures show long texts whole.
    chaiConfig: { truncateThreshold: 0 },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["**/*.test.ts"], exclude: [...exclude, "**/*.db.test.ts", ...pure] },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: ["**/*.db.test.ts"],
          exclude,
          globalSetup: ["server/testing/database-server.ts"],
          setupFiles: ["server/testing/database.ts"],
        },
      },
      {
        extends: true,
        test: { name: "unit-pure", include: pure, exclude, isolate: false },
      },
    ],
  },
});
