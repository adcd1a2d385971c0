// The table of layers and its rules: imports go down only, and never in a cycle.
import { importsOf } from "./syntax";
import { isCode, isTestOnly, type Rule, type SourceFile } from "./tree";

interface Layer {
  readonly folder: string;
  /** Folders that it may import from, besides itself. */
  readonly mayImport: readonly string[];
  /** Folders whose types it may import, but nothing that exists at run time. */
  readonly mayImportTypesOf?: readonly string[];
  /** The only packages and built-in modules that it may import; any if omitted. */
  readonly packages?: readonly string[];
}

const BELOW_ADAPTERS = ["server/domain", "server/contract", "server/platform", "server/services"];

/** The first entry whose folder a path lies in is its layer. */
const LAYERS: readonly Layer[] = [
  { folder: "server/domain", mayImport: [], packages: [] },
  { folder: "server/contract", mayImport: ["server/domain"], packages: ["zod"] },
  { folder: "server/platform", mayImport: [] },
  { folder: "server/db", mayImport: ["server/domain", "server/platform"] },
  { folder: "server/psp", mayImport: ["server/domain", "server/platform"] },
  { folder: "server/receivers", mayImport: ["server/domain", "server/platform"] },
  {
    folder: "server/services",
    mayImport: ["server/domain", "server/platform", "server/db", "server/psp", "server/receivers"],
  },
  { folder: "server/http", mayImport: BELOW_ADAPTERS },
  { folder: "server/auth", mayImport: [...BELOW_ADAPTERS, "server/http"] },
  { folder: "server/trpc", mayImport: [...BELOW_ADAPTERS, "server/http", "server/auth"] },
  { folder: "server/worker", mayImport: BELOW_ADAPTERS },
  { folder: "server/cli", mayImport: [...BELOW_ADAPTERS, "server/http"] },
  { folder: "server/testing", mayImport: ["server/domain", "server/platform", "server/db"] },
  // The rest of server: the entry of the service, which joins all layers and is imported by none.
  { folder: "server", mayImport: ["server"] },
  {
    folder: "components",
    mayImport: ["server/domain", "server/contract"],
    mayImportTypesOf: ["server/trpc"],
  },
  { folder: "app", mayImport: ["server/http", "server/trpc", "server/auth", "server/contract", "components"] },
  // A package of its own, which its users install without the service. Its command line reads files and asks people.
  {
    folder: "client/src/cli",
    mayImport: ["client"],
    packages: [
      "node:crypto",
      "node:fs",
      "node:os",
      "node:path",
      "node:readline/promises",
      "node:stream",
      "node:stream/consumers",
      "node:util",
    ],
  },
  // Packages of their own, which use the client from its tarball.
  { folder: "client/examples", mayImport: [] },
  { folder: "client", mayImport: [], packages: ["node:crypto"] },
  // The model of the outside world is written from the docs alone: only its drivers import the service's code.
  { folder: "e2e/model/world", mayImport: [], packages: ["fast-check"] },
  { folder: "e2e/model/oracle", mayImport: ["e2e/model/world"], packages: [] },
  {
    folder: "e2e/model/domain-driver",
    mayImport: ["server/domain", "e2e/model/world", "e2e/model/oracle", "e2e"],
  },
  // Plays histories against the services of this process and their built-in adapters.
  {
    folder: "e2e/model/adapter-driver",
    mayImport: [
      "server/domain",
      "server/platform",
      "server/db",
      "server/psp",
      "server/services",
      "server/testing",
      "e2e/model/world",
      "e2e/model/oracle",
      "e2e",
    ],
  },
  // Processes of the service that specs kill, and how they become one file.
  { folder: "e2e/faults/wire/victim", mayImport: ["server", "server/platform", "server/psp", "server/worker", "e2e"] },
  // Calls the service's own check of API keys in one process, to measure it.
  { folder: "e2e/faults/key-check", mayImport: ["server/services", "server/platform", "e2e"] },
  // Plants secrets through the service's own services, and opens them again.
  {
    folder: "e2e/faults/secrets/planter",
    mayImport: ["server/services", "server/db", "server/platform", "server/testing", "e2e"],
  },
  // A Postgres server that specs stop, kill and fill; the embedded one's programs run it.
  { folder: "e2e/support/postgres", mayImport: ["server/platform"] },
  // Runs the operator's commands in one process, for specs that run many.
  { folder: "e2e/support/operator", mayImport: ["server/cli", "server/services", "server/platform", "e2e"] },
  // Follows the Dockerfile, and takes the files of a release from the service's own build.
  { folder: "e2e/deployment/image", mayImport: ["server", "e2e"] },
  {
    folder: "e2e",
    mayImport: [
      "server/contract",
      "client",
      "e2e/model/world",
      "e2e/model/oracle",
      "e2e/model/domain-driver",
      "e2e/faults/secrets/planter",
      "e2e/faults/wire/victim",
      "e2e/support/postgres",
      "e2e/deployment/image",
    ],
  },
  // Calls the service's own search, and what fills it.
  {
    folder: "bench/search",
    mayImport: ["server/services", "server/db", "server/domain", "server/platform", "bench", "e2e"],
  },
  // From the database layer, the typical peer imports the generated client.
  { folder: "bench", mayImport: ["server/contract", "server/db", "bench/search", "e2e", "e2e/support/postgres"] },
];

function isIn(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function layerOf(path: string): Layer | undefined {
  return LAYERS.find((layer) => isIn(path, layer.folder));
}

function isAllowed(layer: Layer, target: string, isTypeOnly: boolean): boolean {
  const folders = [layer.folder, ...layer.mayImport, ...(isTypeOnly ? (layer.mayImportTypesOf ?? []) : [])];
  // `server` as an allowed folder includes all layers in it; any other folder allows only the layer of that name.
  if (layer.folder === "server") return true;
  return folders.includes(layerOf(target)?.folder ?? "");
}

/** Imports between layers that the table does not allow. Unit tests may import anything; e2e may not. */
export const upwardImports: Rule = (files) =>
  files.flatMap((file) => {
    const layer = layerOf(file.path);
    if (!layer || !isCode(file.path) || (isTestOnly(file.path) && !/^e2e\b/.test(layer.folder))) return [];
    return importsOf(file)
      .filter(({ target, isLocal, isTypeOnly }) => isLocal && !isAllowed(layer, target, isTypeOnly))
      .map(({ target }) => `${file.path} imports ${target}`);
  });

/** Imports of packages and built-in modules in layers that must be pure or run in a browser. */
export const foreignPackages: Rule = (files) =>
  files.flatMap((file) => {
    const packages = layerOf(file.path)?.packages;
    if (!packages || !isCode(file.path) || isTestOnly(file.path)) return [];
    return importsOf(file)
      .filter(({ target, isLocal }) => !isLocal && !packages.includes(target))
      .map(({ target }) => `${file.path} imports ${target}`);
  });

/** Imports of test support in production code. */
export const testSupportInProduction: Rule = (files) =>
  files.flatMap((file) => {
    if (!isCode(file.path) || isTestOnly(file.path) || !/^(server|app|components)\//.test(file.path)) return [];
    return importsOf(file)
      .filter(({ target, isLocal }) => isLocal && isTestOnly(`${target}.ts`))
      .map(({ target }) => `${file.path} imports ${target}`);
  });

type Graph = ReadonlyMap<string, readonly string[]>;

/** Which file imports which, types included. */
function graphOf(files: readonly SourceFile[]): Graph {
  const paths = new Map(files.filter(({ path }) => isCode(path)).map((file) => [file.path, file]));
  const endings = ["", ".ts", ".tsx", ".js", "/index.ts", "/index.tsx"];
  const graph = new Map<string, string[]>();
  for (const [path, file] of paths) {
    const targets = importsOf(file).filter(({ isLocal }) => isLocal);
    graph.set(
      path,
      targets.flatMap(({ target }) => endings.map((ending) => target + ending).filter((found) => paths.has(found))),
    );
  }
  return graph;
}

/** One line for each cycle found in the graph. */
function cyclesIn(graph: Graph): string[] {
  const done = new Set<string>();
  const trail: string[] = [];
  const cycles: string[] = [];
  const visit = (node: string): void => {
    const start = trail.indexOf(node);
    if (start !== -1) cycles.push([...trail.slice(start), node].join(" → "));
    if (start !== -1 || done.has(node)) return;
    trail.push(node);
    for (const target of graph.get(node) ?? []) visit(target);
    trail.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

/** Files that import each other in a cycle. Types count: a reader could not understand one file without the other. */
export const importCycles: Rule = (files) => cyclesIn(graphOf(files));

/** The sibling folders in which the two paths diverge; null for files of one folder. */
function siblingFolders(one: string, other: string): [string, string] | null {
  const [a, b] = [one.split("/"), other.split("/")];
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at === -1 || at >= a.length - 1 || at >= b.length - 1) return null;
  return [a.slice(0, at + 1).join("/"), b.slice(0, at + 1).join("/")];
}

/** Sibling folders whose production code imports each other in a cycle. */
export const folderCycles: Rule = (files) => {
  const graph = new Map<string, string[]>();
  for (const [path, targets] of graphOf(files.filter(({ path }) => !isTestOnly(path)))) {
    for (const target of targets) {
      const [from, to] = siblingFolders(path, target) ?? [];
      if (from !== undefined && to !== undefined) graph.set(from, [...(graph.get(from) ?? []), to]);
    }
  }
  return cyclesIn(graph);
};
