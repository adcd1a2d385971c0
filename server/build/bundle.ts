// The service's processes as a few files. Loading their thousand modules one by one is most of what a start takes.
import { mkdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";

/** Name of a bundle to the file that it begins with. */
const ENTRIES = {
  build: "server/build/build.ts",
  main: "server/main.ts",
  "web-member": "server/processes/web-cluster-member.ts",
  worker: "server/worker/main.ts",
} as const;

/** In Next's folder, which a release has, and which Next empties when it builds. */
const FOLDER = join(".next", "sluice");

/** The file of a bundle below the project's folder `root`. */
export function bundleFile(root: string, name: keyof typeof ENTRIES): string {
  return join(root, FOLDER, `${name}.mjs`);
}

/** Written so that this file, which is in the bundle too, is not changed itself. */
const OWN_URL = ["import", "meta", "url"].join(".");

/** Modules below `root` that find files beside them find them from a bundle in `folder` too, wherever both are moved. */
export function keepUrls(root: string, folder: string): Plugin {
  const toRoot = relative(folder, root);
  const urlOf = (path: string) => {
    const fromBundle = join(toRoot, relative(root, path)).replaceAll(sep, "/");
    return `new URL(${JSON.stringify(fromBundle)}, ${OWN_URL}).href`;
  };
  return {
    name: "keep URLs",
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        return {
          contents: source.replaceAll(OWN_URL, urlOf(path)),
          loader: path.endsWith("x") ? "tsx" : "ts",
        };
      }),
  };
}

/** Writes the bundles of the project in the folder `root`; `entries` may name others. Throws if one has errors. */
export async function bundleServer(root: string, entries: Readonly<Record<string, string>> = ENTRIES): Promise<void> {
  // A release has been built: the bundler is not installed there.
  const { build } = await import("esbuild");
  rmSync(join(root, FOLDER), { recursive: true, force: true });
  mkdirSync(join(root, FOLDER), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, entry]) => ({ in: entry, out })),
    outdir: FOLDER,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    plugins: [keepUrls(root, join(root, FOLDER))],
    logLevel: "error",
  });
}
