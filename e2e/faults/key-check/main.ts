// `npm run faults:key-check -- [--calls 100000] [--keys 1000]`: what the check of an API key costs, and whether its time tells
// a stranger that a public key exists. Calls the service's own check in this process, on a Postgres of its own.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { allCells, inCell } from "@/server/platform/cell";
import { logWarningsOnly } from "@/server/platform/env";
import { openCommandSession } from "@/server/services/command-session";
import { judgeKeyCheck, lineOf } from "./figures";
import { makeKeys } from "./keys";
import { measureFirstGuesses, measureWarm } from "./measure";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "100000" }, keys: { type: "string", default: "1000" } },
});
const dataDir = mkdtempSync(join(tmpdir(), "sluice-key-check-"));
// The database may run as another user, who needs access through this folder to its own.
chmodSync(dataDir, 0o711);
delete process.env.DATABASE_URL;
process.env.DATA_DIR = dataDir;
logWarningsOnly();

const session = await openCommandSession({ migrates: false });
let problems: readonly string[] = [];
try {
  await inCell(allCells()[0], async () => {
    const [key, ...others] = await makeKeys(1 + Number(values.keys));
    if (!key) throw new Error("there is no key");
    const warm = await measureWarm(key, Number(values.calls));
    const first = await measureFirstGuesses(others);
    problems = judgeKeyCheck(warm, first);
    for (const problem of problems) process.stdout.write(`✗ ${problem}\n`);
    process.stdout.write(`${lineOf(warm, first)}, ${problems.length} problems\n`);
  });
} finally {
  await session.close();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(problems.length === 0 ? 0 : 1);
