// `@sluice/client` as its users get it: packed, and installed from the tarball without a registry.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_ROOT, serviceVariables } from "./service-process";

/**
 * Runs a program in a folder and returns its output; a failure throws with it. The caller's event loop goes on, so that
 * its connections do not go stale.
 */
export async function runIn(folder: string, program: string, ...words: readonly string[]): Promise<string> {
  try {
    const env = serviceVariables({ NEXT_TELEMETRY_DISABLED: "1" });
    return (await promisify(execFile)(program, words, { cwd: folder, env, maxBuffer: 64 << 20 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${words.join(" ")} failed:\n${stdout}${stderr}`);
  }
}

/** Packs a copy of the package, because several of these may run at once, and returns the path of the tarball. */
async function pack(folder: string): Promise<string> {
  const source = join(folder, "source");
  mkdirSync(source);
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(source, "node_modules"));
  const copied = (path: string) => !/\/(?:dist|examples|node_modules)$/.test(path);
  cpSync(join(PROJECT_ROOT, "client"), join(source, "client"), { recursive: true, filter: copied });
  const packed = await runIn(folder, "npm", "pack", "--silent", join(source, "client"));
  return join(folder, packed.trim());
}

/** Installs the packed client in a folder, which gets a `package.json` if it has none. */
export async function installClient(folder: string): Promise<void> {
  const packing = mkdtempSync(join(tmpdir(), "sluice-pack-"));
  try {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) writeFileSync(manifest, '{ "type": "module", "private": true }');
    await runIn(folder, "npm", "install", "--offline", "--no-audit", "--no-fund", await pack(packing));
  } finally {
    rmSync(packing, { recursive: true, force: true });
  }
}
