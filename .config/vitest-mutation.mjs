// The tests of one part of mutation testing, as run once per mutant: few, repeatable and fast to start.
import { defineConfig } from "vitest/config";
import base from "./vitest.ts";

/** Patterns of test files. Stryker 9.6 has a setting for them too, but then activates mutants of constants too late. */
const tests = (process.env.MUTATION_TESTS ?? "").split(" ");
const isDatabaseTest = (pattern) => pattern.endsWith(".db.test.ts");
/** The domain's tests share a worker, new in each run: it has no state that one file could leave to the next. */
const isolate = tests.some((pattern) => !pattern.startsWith("server/domain/"));

/** A mutant in whose presence a test file cannot be loaded would survive, since no test of it fails: this makes it an error. */
const loadErrors = {
  onInit(vitest) {
    this.state = vitest.state;
  },
  onTestModuleEnd(file) {
    for (const error of file.errors()) this.state.catchError(error, "Load Error");
  },
};

const [unit, db] = base.test.projects;
const small = {
  ...unit,
  test: {
    ...unit.test,
    include: tests.filter((pattern) => !isDatabaseTest(pattern)),
    setupFiles: ["e2e/mutation/small-properties.ts"],
    isolate,
  },
};
const onDatabase = { ...db, test: { ...db.test, include: tests.filter(isDatabaseTest) } };

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    reporters: [loadErrors],
    projects: [small, onDatabase].filter(({ test }) => test.include.length > 0),
  },
});
