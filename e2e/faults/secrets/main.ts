// `npm run faults:secrets -- [--canaries 10000] [--rows 100000]`: many account numbers and secrets pass through a service, then
// everything that it stores, logs and sends is searched for them; in between, every sealed value gets a new secret under load.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBridge } from "../../rest/bridge";
import { startPostgres } from "../../support/postgres/server";
import { freePort } from "../../support/service";
import { playSecrets } from "./play";

const { values } = parseArgs({
  options: { canaries: { type: "string", default: "10000" }, rows: { type: "string", default: "100000" } },
});
const folder = mkdtempSync(join(tmpdir(), "sluice-secrets-"));
// Postgres may run as another user, who needs access through this folder to its own.
chmodSync(folder, 0o711);
const scratch = join(folder, "scratch");
mkdirSync(scratch, { mode: 0o700 });
const newKey = () => randomBytes(32).toString("base64");
const secrets = { old: newKey(), fresh: newKey() };
const server = await startPostgres(join(folder, "server"), await freePort());
const database = { DATABASE_URL: server.url, SLUICE_SECRETS: secrets.old, REFERENCE_KEY: newKey() };
let problems: readonly string[] = ["it did not end"];
try {
  const bridge = await openBridge({ database });
  try {
    const sizes = { canaries: Number(values.canaries), rows: Number(values.rows) };
    const played = await playSecrets({ bridge, server, secrets, scratch, serverFolder: join(folder, "server") }, sizes);
    ({ problems } = played);
    for (const problem of problems.slice(0, 50)) process.stdout.write(`✗ ${problem}\n`);
    process.stdout.write(`${played.line}; ${problems.length} problems\n`);
  } finally {
    await bridge.close();
  }
} finally {
  if (server.pid() !== null) await server.stop("fast");
  rmSync(folder, { recursive: true, force: true });
}
process.exit(problems.length === 0 ? 0 : 1);
