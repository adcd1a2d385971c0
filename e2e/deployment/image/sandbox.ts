// Runs commands as in a container, by Debian's package `bubblewrap`: only the image's files, the system's libraries and
// /tmp exist; nothing else can be written; no capabilities; own processes; the network of this machine.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { serviceVariables, type Variables } from "../../support/service-process";
import type { Stage } from "./dockerfile";

export interface Enclosure {
  /** The folder that is `/app` inside. */
  readonly app: string;
  /** The program that is `/usr/local/bin/node` inside. */
  readonly node: string;
  readonly isWritable: boolean;
  readonly user: number;
  readonly variables: Variables;
  /** Files to read, by their paths inside. */
  readonly files?: Readonly<Record<string, string>>;
}

/** False where the package is missing, or where this user may not create namespaces. */
export function hasBubblewrap(): boolean {
  return spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).status === 0;
}

/** What the base image has besides node: libraries, a shell, npm, and the addresses of servers. */
const SYSTEM = [
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
  "/usr/bin",
  "/usr/share/ca-certificates",
  "/etc/ssl",
  "/etc/hosts",
];
const MORE_SYSTEM = ["/etc/passwd", "/etc/resolv.conf", "/etc/nsswitch.conf"];
const LINKS = ["lib", "lib64", "bin"];

/** Returns the command line that runs `words` inside. */
export function enclosed(enclosure: Enclosure, words: readonly string[]): string[] {
  const { app, node, isWritable, user, variables, files = {} } = enclosure;
  const readable = [...SYSTEM, ...MORE_SYSTEM].filter((path) => existsSync(path));
  const bind = (from: string, to: string) => ["--ro-bind", from, to];
  const all = Object.entries({ PATH: "/usr/local/bin:/usr/bin", HOME: "/tmp", ...variables });
  const options: readonly (readonly string[])[] = [
    ["--unshare-all", "--share-net", "--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"],
    ["--uid", String(user), "--gid", String(user), "--clearenv"],
    ...readable.map((path) => bind(path, path)),
    ...LINKS.map((name) => ["--symlink", `usr/${name}`, `/${name}`]),
    bind(node, "/usr/local/bin/node"),
    [isWritable ? "--bind" : "--ro-bind", app, "/app", "--chdir", "/app"],
    ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...Object.entries(files).map(([path, file]) => bind(file, path)),
    isWritable ? [] : ["--remount-ro", "/"],
    ...all.map(([name, value]) => ["--setenv", name, value]),
  ];
  return ["bwrap", ...options.flat(), ...words];
}

export interface Container {
  /** Everything that it has printed. */
  logs(): string;
  hasEnded(): boolean;
  /** Runs a command inside the same image with the same variables; returns its exit status and standard output. */
  execute(words: readonly string[]): { readonly status: number | null; readonly stdout: string };
  isHealthy(): boolean;
  /** Sends SIGTERM to its first process, as an engine does; resolves with the exit status. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** A user who owns nothing of the image, if this process may become another one. */
const asUser = (user: number) => (process.getuid?.() === 0 ? { uid: user, gid: user } : {});

/** The process's id on this machine, which bwrap writes to its third channel in several parts. */
function firstProcess(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let text = "";
    (child.stdio[3] as Readable).on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [, pid] = /"child-pid":\s*(\d+)\D/.exec(text) ?? [];
      if (pid) resolve(Number(pid));
    });
  });
}

/** Starts the image's command with a root that cannot be written, as the image's user. */
export async function startContainer(
  image: Stage & Pick<Enclosure, "app">,
  node: string,
  variables: Variables,
  files: Readonly<Record<string, string>> = {},
): Promise<Container> {
  const user = image.user ?? 0;
  if (user === 0) throw new Error("the image runs as root");
  const all = { ...image.variables, ...variables };
  const enclosure = { app: image.app, node, isWritable: false, user, variables: all, files };
  const options = { cwd: "/", env: serviceVariables({}), ...asUser(user) };
  const [program = "", ...words] = enclosed(enclosure, image.command);
  const child = spawn(program, ["--info-fd", "3", ...words], { ...options, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  let logs = "";
  for (const output of [child.stdout, child.stderr]) output?.on("data", (chunk: Buffer) => (logs += chunk.toString()));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const pid = await Promise.race([firstProcess(child), ended]);
  if (child.exitCode !== null || pid === null) throw new Error(`the container did not start:\n${logs}`);
  const atExit = () => child.kill("SIGKILL");
  process.once("exit", atExit);

  function execute(inside: readonly string[]) {
    const [bwrap = "", ...rest] = enclosed(enclosure, inside);
    const { status, stdout } = spawnSync(bwrap, rest, { ...options, encoding: "utf8" });
    return { status, stdout };
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null) process.kill(pid ?? 0, signal);
    const status = await ended;
    process.off("exit", atExit);
    return status;
  }

  return {
    logs: () => logs,
    hasEnded: () => child.exitCode !== null,
    execute,
    isHealthy: () => execute(image.healthCheck).status === 0,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}
