// Builds the container image's files by following the Dockerfile, without a container engine.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { copyRelease } from "@/server/build/release";
import { PROJECT_ROOT } from "../../support/service-process";
import { contextFilter, readDockerfile, type Stage, stagesOf } from "./dockerfile";
import { type Enclosure, enclosed } from "./sandbox";

export interface Image extends Stage {
  /** The folder that the container sees as `/app`. */
  readonly app: string;
  /** Of the files in `app`, in MB. The base image comes on top. */
  readonly megabytes: number;
  remove(): void;
}

export interface BuildOptions {
  /**
   * False: every instruction is carried out as written. True: the results are the same, and take seconds: the release
   * comes from the project's folder, which is built already, and the packages from its node_modules by `npm prune`.
   */
  readonly isQuick: boolean;
  /** The program that the base image has as `node`. */
  readonly node: string;
}

/** What npm needs to reach the registry from here, such as the certificate of a mirror. */
const REGISTRY = /^(?:NODE_EXTRA_CA_CERTS|npm_config_registry|https?_proxy|no_proxy)$/i;

function registryVariables(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => REGISTRY.test(name));
  return Object.fromEntries(entries.map(([name, value = ""]) => [name, value]));
}

function run(words: readonly string[]): void {
  const [program = "", ...rest] = words;
  const { status, stderr } = spawnSync(program, rest, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${String(status)}:\n${stderr.slice(-4_000)}`);
}

function copyContext(source: string, to: string): void {
  const isIncluded = contextFilter();
  const filter = (path: string) => {
    const inside = relative(PROJECT_ROOT, path);
    return inside === "" || isIncluded(inside);
  };
  cpSync(join(PROJECT_ROOT, source), to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
}

/** Copies like COPY: a folder's contents, or files into a folder whose name ends with a slash. */
function copy(source: string, to: string, isContext: boolean): void {
  const isFolder = statSync(isContext ? join(PROJECT_ROOT, source) : source).isDirectory();
  mkdirSync(to, { recursive: true });
  if (isContext) copyContext(source, isFolder ? to : join(to, source));
  else run(["cp", "-a", ...(isFolder ? [`${source}/.`] : [source]), to]);
}

/** What tools keep beside the packages. */
const CACHES = [".cache", ".vite", ".vite-temp"];

/** Links the installed packages where that is possible, which takes no space and little time. */
function linkPackages(app: string): void {
  const words = [join(PROJECT_ROOT, "node_modules"), app];
  const packages = join(app, "node_modules");
  if (spawnSync("cp", ["-al", ...words]).status !== 0) {
    rmSync(packages, { recursive: true, force: true });
    run(["cp", "-a", ...words]);
  }
  for (const name of CACHES) rmSync(join(packages, name), { recursive: true, force: true });
}

/** Builds the image of the Dockerfile in a new folder; a stage's files in `/app` are those below its name. */
export async function buildImage({ isQuick, node }: BuildOptions): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-image-"));
  // The image's user reads the files.
  chmodSync(folder, 0o755);
  const stages = stagesOf(readDockerfile());
  const appOf = (name: string | null) => join(folder, name ?? "image");
  const hostPath = (from: string | null, path: string) =>
    from === null ? path : join(appOf(from), relative("/app", path));

  async function play({ name, steps }: Stage): Promise<void> {
    const app = appOf(name);
    mkdirSync(app, { mode: 0o755 });
    if (isQuick && name === "build") return copyRelease(join(app, ".release", "sluice"));
    for (const step of steps) {
      if (step.kind === "copy") {
        for (const source of step.sources) copy(hostPath(step.from, source), resolve(app, step.to), step.from === null);
      } else {
        const isInstall = step.script.includes("npm ci");
        if (isQuick && isInstall) linkPackages(app);
        const script = isQuick ? step.script.replace("npm ci", "npm prune --offline") : step.script;
        const enclosure: Enclosure = {
          app,
          node,
          isWritable: true,
          user: process.getuid?.() ?? 0,
          variables: registryVariables(),
        };
        run(enclosed(enclosure, ["sh", "-c", script]));
      }
    }
  }

  try {
    for (const stage of stages) if (stage.name !== "base") await play(stage);
    const last = stages.at(-1);
    if (!last || !existsSync(appOf(null))) throw new Error("the Dockerfile has no last stage");
    const { stdout } = spawnSync("du", ["-sm", "--apparent-size", appOf(null)], { encoding: "utf8" });
    for (const name of readdirSync(folder)) if (name !== "image") rmSync(join(folder, name), { recursive: true });
    const remove = () => rmSync(folder, { recursive: true, force: true });
    return { ...last, app: appOf(null), megabytes: Number.parseInt(stdout, 10), remove };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
