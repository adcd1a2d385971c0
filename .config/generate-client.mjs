// Generates Prisma's client after an install. A release contains the client, and its install has no generator.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const GENERATOR = fileURLToPath(new URL("../node_modules/prisma/build/index.js", import.meta.url));

if (existsSync(GENERATOR)) {
  const { status } = spawnSync(process.execPath, [GENERATOR, "generate"], { stdio: "inherit" });
  process.exit(status ?? 1);
}
