// A copy of the working tree in which planted bugs do no harm. It shares the installed packages.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyPatch, type Patch } from "./anchor";

export const PROJECT_ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Made by `prisma generate`, so that git does not list it. */
const GENERATED = "server/db/generated";

export interface Scratch {
  readonly root: string;
  /** Applies a patch for as long as `work` takes. */
  withPatch<Result>(patch: Patch, work: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

function listedFiles(): string[] {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  return execFileSync("git", words, { cwd: PROJECT_ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(PROJECT_ROOT, path)));
}

export function makeScratch(): Scratch {
  const root = mkdtempSync(join(tmpdir(), "sluice-zoo-"));
  for (const path of [...listedFiles(), GENERATED]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(PROJECT_ROOT, path), join(root, path), { recursive: true });
  }
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  return {
    root,
    async withPatch(patch, work) {
      const path = join(root, patch.file);
      const sound = readFileSync(path, "utf8");
      writeFileSync(path, applyPatch(sound, patch));
      try {
        return await work();
      } finally {
        writeFileSync(path, sound);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
