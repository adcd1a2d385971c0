// The typical peer: its application built and served by Next alone, as `next start` does, on a free port.
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import next from "next";
import { PROJECT_ROOT } from "@/e2e/support/service-process";

const dir = fileURLToPath(new URL(".", import.meta.url));
const build = spawnSync(process.execPath, [join(PROJECT_ROOT, "node_modules/next/dist/bin/next"), "build", dir], {
  stdio: ["ignore", 2, 2],
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
});
if (build.status !== 0) process.exit(1);

const app = next({ dev: false, dir });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
