// Owns the browser of the dashboard specs: one that comes from npm, so that nothing is downloaded and no machine differs.
import { existsSync, readFileSync } from "node:fs";
import { chmod, lstat, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LaunchOptions } from "@playwright/test";
import chromium from "@sparticuz/chromium";

/** The package does not export its own description, which lies two folders above its entry. */
function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const description = JSON.parse(readFileSync(join(dirname(entry), "../../package.json"), "utf8")) as {
    version: string;
  };
  return description.version;
}

/** A folder of this user alone: what another user put there must not be run. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.()) return true;
  throw new Error(`${folder} belongs to another user: remove it, or set TMPDIR`);
}

const FONTS = "fonts.conf";

/** The package's own list of font folders names only where cloud functions unpack it. */
function fontsIn(folder: string): string {
  return `<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>\n`;
}

/** The package unpacks into the folder for temporary files, where users and versions would meet. */
async function unpackInto(folder: string): Promise<void> {
  const outer = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await chromium.executablePath();
  } finally {
    if (outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outer;
  }
}

/** Folder with the unpacked browser: unpacked once per user and version, whole or not at all. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `sluice-chromium-${packageVersion()}-${process.getuid?.() ?? "user"}`);
  if (await isOurs(folder)) return folder;
  const draft = await mkdtemp(`${folder}-`);
  await unpackInto(draft);
  await writeFile(join(draft, FONTS), fontsIn(folder));
  await chmod(draft, 0o700);
  // Whoever comes second finds the folder in place and uses it.
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOurs(folder))) throw error;
  });
  return folder;
}

/**
 * How Playwright is to launch Chromium. Elsewhere than on Linux with an x64 processor, for which the package has no
 * program, Playwright's own browser is used.
 */
export async function browserLaunch(): Promise<LaunchOptions> {
  if (platform() !== "linux" || arch() !== "x64") return {};
  const folder = await unpacked();
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  // A machine without any fonts would draw no text; the package brings one family for it.
  const fonts = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_FILE: join(folder, FONTS) };
  return {
    executablePath: join(folder, "chromium"),
    // Not the package's own: those are for cloud functions, join all processes into one and switch web security off.
    args: ["--font-render-hinting=none"],
    env: { ...(Object.fromEntries(variables) as Record<string, string>), ...fonts },
  };
}
