// The code of an older release, from this repository's history.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../support/service-process";

/** v0.1.0, which also wrote the database of the upgrade test. */
export const OLDER_RELEASE = "d47e532";

function run(program: string, words: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, words, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} failed in ${cwd}`);
}

/** Returns the folder with the commit's code, installed and built. Takes minutes, once on a machine. */
export function folderOfRelease(commit: string): string {
  const folder = join(tmpdir(), `sluice-release-${commit}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished);
  try {
    const options = { cwd: PROJECT_ROOT, maxBuffer: 1024 ** 3 };
    const archive = execFileSync("git", ["archive", commit], options);
    execFileSync("tar", ["-x", "-C", unfinished], { input: archive });
    run("npm", ["ci"], unfinished);
    run("npm", ["run", "build"], unfinished);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
