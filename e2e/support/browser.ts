// The browser of the dashboard specs. It comes from npm, so that specs download nothing and every machine uses the same
// one.
import { existsSync, readFileSync } from "node:fs";
import { chmod, lstat, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LaunchOptions } from "@playwright/test";
import chromium from "@sparticuz/chromium";

/** The package does not export its package.json, which is two folders above its entry. */
function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const description = JSON.parse(readFileSync(join(dirname(entry), "../../package.json"), "utf8")) as {
    version: string;
  };
  return description.version;
}

/** Checks that the folder belongs to this user: another user's files must not be executed. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.()) return true;
  throw new Error(`${folder} belongs to another user: remove it, or set TMPDIR`);
}

const FONTS = "fonts.conf";

/** The package's list of font folders contains only paths of cloud functions. */
function fontsIn(folder: string): string {
  return `<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>\n`;
}

/** The package unpacks into the folder for temporary files, where users and versions would collide. */
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

/** The folder with the unpacked browser, unpacked once per user and version, atomically. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `sluice-chromium-${packageVersion()}-${process.getuid?.() ?? "user"}`);
  if (await isOurs(folder)) return folder;
  const draft = await mkdtemp(`${folder}-`);
  await unpackInto(draft);
  await writeFile(join(draft, FONTS), fontsIn(folder));
  await chmod(draft, 0o700);
  // A concurrent loser finds the folder in place and uses it.
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await isOurs(folder))) throw error;
  });
  return folder;
}

/**
 * How Playwright launches Chromium. The package supports only Linux on x64; elsewhere Playwright's own browser is used.
 */
export async function browserLaunch(): Promise<LaunchOptions> {
  if (platform() !== "linux" || arch() !== "x64") return {};
  const folder = await unpacked();
  const variables = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  // A machine without fonts would draw no text; the package includes one family.
  const fonts = existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_FILE: join(folder, FONTS) };
  return {
    executablePath: join(folder, "chromium"),
    // Not the package's own arguments: those are for cloud functions, join all processes into one and disable web
    // security.
    args: ["--font-render-hinting=none"],
    env: { ...(Object.fromEntries(variables) as Record<string, string>), ...fonts },
  };
}
