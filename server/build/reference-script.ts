// Copies the script of the API reference from its package to the built application. Only the build needs the package.
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { REFERENCE_SCRIPT } from "@/server/http/guides/reference";

const SOURCE = "node_modules/@scalar/fastify-api-reference/dist/js/standalone.js";

/** Copies the script into Next's folder `built` of the project at `root`. */
export function copyReferenceScript(root: string, built: string): void {
  const folder = join(root, built, "static", "reference");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, SOURCE), join(folder, basename(REFERENCE_SCRIPT)));
}
