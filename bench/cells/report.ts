// The report of what further cells cost.
import { areMet, type Bound, boundLines, boundsTable } from "../bounds";
import { table, whole } from "../text";

/** A service with this many cells, all databases of one server. */
export interface Sample {
  readonly cells: number;
  /** From the start of the process until all cells are served, each after its migration. */
  readonly readySeconds: number;
  /** MiB, while nothing is asked. */
  readonly memory: { readonly web: number; readonly worker: number };
  /** While nothing is asked: CPU seconds and transactions a second, and open connections. */
  readonly idle: {
    readonly webCpu: number;
    readonly workerCpu: number;
    readonly postgresCpu: number;
    readonly transactions: number;
    readonly connections: number;
  };
  /** Of merchants in all cells in turn, with the load generator and the databases on the same machine. */
  readonly createsPerSecond: number;
  /** After that load. */
  readonly busyConnections: number;
}

export interface CellsResults {
  readonly at: string;
  readonly machine: string;
  /** The first has one cell. */
  readonly samples: readonly Sample[];
}

/** What one further cell adds to a figure: the difference between the most cells and one, by the number of further cells. */
export function perCell({ samples }: CellsResults, figure: (sample: Sample) => number): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.cells === first.cells) throw new Error("at least two numbers of cells are needed");
  return (figure(last) - figure(first)) / (last.cells - first.cells);
}

/** What a further cell may cost while nothing is asked. */
export function cellsGoals(results: CellsResults): Bound[] {
  return [
    {
      goal: "CPU of the worker",
      value: perCell(results, (sample) => sample.idle.workerCpu) * 100,
      most: 1.5,
      unit: "% of a core",
    },
    {
      goal: "CPU of a web process",
      value: perCell(results, (sample) => sample.idle.webCpu) * 100,
      most: 0.1,
      unit: "% of a core",
    },
    {
      goal: "CPU of Postgres",
      value: perCell(results, (sample) => sample.idle.postgresCpu) * 100,
      most: 2,
      unit: "% of a core",
    },
    { goal: "memory of the worker", value: perCell(results, (sample) => sample.memory.worker), most: 10, unit: "MiB" },
    { goal: "memory of a web process", value: perCell(results, (sample) => sample.memory.web), most: 5, unit: "MiB" },
  ];
}

export function isCellsMet(results: CellsResults): boolean {
  return areMet(cellsGoals(results));
}

/** The report for people. */
export function cellsMarkdown(results: CellsResults): string {
  const { at, machine, samples } = results;
  const share = (seconds: number) => `${(seconds * 100).toFixed(1)} %`;
  return `# Cells

Written by \`npm run bench -- cells\`. [docs/scaling.md](../docs/scaling.md) uses it.

- **When**: ${at}
- **Machine**: ${machine}
- **Service**: one web process and one worker; all cells are databases of one Postgres server on the same machine

## What one further cell costs while nothing is asked

${boundsTable(cellsGoals(results))}

## By the number of cells

${table(
  ["", ...samples.map(({ cells }) => `${cells}`)],
  [
    ["all cells served after, s", ...samples.map(({ readySeconds }) => readySeconds.toFixed(1))],
    ["memory of the web process, MiB", ...samples.map(({ memory }) => whole(memory.web))],
    ["memory of the worker, MiB", ...samples.map(({ memory }) => whole(memory.worker))],
    ["idle: CPU of the web process, of a core", ...samples.map(({ idle }) => share(idle.webCpu))],
    ["idle: CPU of the worker", ...samples.map(({ idle }) => share(idle.workerCpu))],
    ["idle: CPU of Postgres", ...samples.map(({ idle }) => share(idle.postgresCpu))],
    ["idle: transactions a second", ...samples.map(({ idle }) => whole(idle.transactions))],
    ["idle: connections", ...samples.map(({ idle }) => whole(idle.connections))],
    ["creates a second, in all cells in turn", ...samples.map(({ createsPerSecond }) => whole(createsPerSecond))],
    ["connections after that load", ...samples.map(({ busyConnections }) => whole(busyConnections))],
  ],
)}
`;
}

/** The goals as lines for the terminal. */
export function cellsLines(results: CellsResults): string {
  return boundLines(cellsGoals(results));
}
