// Plays histories against one running service with concurrent clients, and shrinks violated ones.
import fc from "fast-check";
import { fetchValidator } from "../../support/api";
import { embeddedUrl } from "../../support/kept-data";
import { type Operator, startOperator } from "../../support/operator";
import { type Service, startService } from "../../support/service";
import { historiesOf } from "../world/arbitrary";
import { type CreationCourse, type History, KINDS, type Kind } from "../world/history";
import { Bridge } from "./bridge";
import { type Counts, countVerdict } from "./coverage";
import { ServiceDatabase } from "./database";
import { makeParty, type Office } from "./merchant";
import { configuration } from "./providers";
import { Session, type Tools, type Verdict } from "./session";

export interface ServiceRun {
  readonly seed: number;
  readonly histories: number;
  readonly clients: number;
  /** Played before the random ones. */
  readonly first: readonly History[];
  /** The time limit for shrinking one history, in ms; 0 shrinks none. */
  readonly shrinkForMs: number;
  /** Called with each violated history immediately, before any is shrunk. */
  onViolation(history: History, violations: readonly string[]): void;
}

interface ServiceFailure {
  readonly history: History;
  /** How the history was found: shrunk as far as possible, as drawn, or as drawn but not violated again. */
  readonly found: "shrunk" | "as drawn" | "not repeated";
  readonly violations: readonly string[];
}

export interface ServiceResult {
  readonly histories: number;
  readonly failures: readonly ServiceFailure[];
  readonly counts: Counts;
  /** Calls that the bridge could not answer: unsigned, or about nothing that a history has. */
  readonly strayCalls: readonly string[];
}

/** How many violated histories are shrunk; the others are returned as found. */
const SHRUNK = 3;

interface Playground extends Tools, Office {}

/** The courses of a first call that count as faults of the provider: several in a row would open its breaker. */
const UNCLEAR: ReadonlySet<CreationCourse> = new Set([
  "unsent",
  "request_lost",
  "answer_lost",
  "answer_late",
  "garbled",
]);

/**
 * The part of a history that the running service can be shown: providers answer in time or never. A first provider that
 * can be left answers the first call clearly; otherwise its breaker would open and the second would get everything.
 */
function fitted(history: History): History {
  const hasFallback = history.hasFallback && history.kind !== "topup";
  const creations = history.creations.map((course, index) => {
    if (hasFallback && index === 0 && UNCLEAR.has(course)) return "not_accepted";
    return course === "unsent" ? "request_lost" : course === "answer_late" ? "answer_lost" : course;
  });
  const steps = history.steps.map((step) =>
    step.do === "look" && step.course === "late" ? ({ ...step, course: "silent" } as const) : step,
  );
  return { ...history, creations, steps, hasFallback, cancels: history.protocol === 2 };
}

async function playOne(history: History, playground: Playground): Promise<Verdict> {
  const shown = fitted(history);
  try {
    return await new Session(shown, await makeParty(playground, shown), playground).play();
  } catch (error) {
    return { violations: [String(error)], status: "unknown", faults: new Map() };
  }
}

interface Drawn {
  readonly kind: Kind;
  /** Position among the histories of its kind and seed; null if it was not drawn. */
  readonly index: number | null;
  readonly history: History;
}

/** The first histories, then random ones of all kinds in turn. Equal seeds draw equal histories. */
function draw({ seed, histories, first }: ServiceRun): Drawn[] {
  const numRuns = Math.ceil(histories / KINDS.length);
  const drawn = KINDS.map((kind) => fc.sample(historiesOf(kind), { numRuns, seed }));
  const random = Array.from({ length: numRuns }, (_, index) =>
    KINDS.flatMap((kind, at): Drawn[] => {
      const history = drawn[at]?.[index];
      return history ? [{ kind, index, history }] : [];
    }),
  );
  const given = first.map((history): Drawn => ({ kind: history.kind, index: null, history }));
  return [...given, ...random.flat().slice(0, histories)];
}

interface Found {
  readonly drawn: Drawn;
  readonly violations: readonly string[];
}

/** Finds the smallest violated history, starting from the one drawn at this index of the seed. */
async function shrink(
  { drawn, violations }: Found,
  { seed, shrinkForMs }: ServiceRun,
  playground: Playground,
): Promise<ServiceFailure> {
  const { kind, index, history } = drawn;
  if (index === null || shrinkForMs === 0) return { history, found: "as drawn", violations };
  const latest = new Map<string, readonly string[]>();
  const property = fc.asyncProperty(historiesOf(kind), async (candidate) => {
    const verdict = await playOne(candidate, playground);
    latest.set(JSON.stringify(candidate), verdict.violations);
    return verdict.violations.length === 0;
  });
  const options = { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: shrinkForMs };
  const { counterexample } = await fc.check(property, options);
  if (!counterexample) return { history, found: "not repeated", violations };
  const [smallest] = counterexample;
  return { history: smallest, found: "shrunk", violations: latest.get(JSON.stringify(smallest)) ?? [] };
}

async function playAll(run: ServiceRun, playground: Playground): Promise<Omit<ServiceResult, "strayCalls">> {
  const queue = draw(run);
  const { length: histories } = queue;
  const counts: Counts = {};
  const found: Found[] = [];
  const client = async () => {
    for (let drawn = queue.shift(); drawn; drawn = queue.shift()) {
      const verdict = await playOne(drawn.history, playground);
      countVerdict(counts, drawn.kind, verdict);
      if (verdict.violations.length === 0) continue;
      found.push({ drawn, violations: verdict.violations });
      run.onViolation(drawn.history, verdict.violations);
    }
  };
  await Promise.all(Array.from({ length: run.clients }, client));
  const failures: ServiceFailure[] = [];
  for (const one of found.slice(0, SHRUNK)) failures.push(await shrink(one, run, playground));
  for (const { drawn, violations } of found.slice(SHRUNK)) {
    failures.push({ history: drawn.history, found: "as drawn", violations });
  }
  return { histories, failures, counts };
}

async function openPlayground(service: Service, bridge: Bridge, operator: Operator): Promise<Playground> {
  const { baseUrl } = service;
  bridge.callbacksTo(baseUrl);
  return {
    bridge,
    operator,
    baseUrl,
    database: new ServiceDatabase(embeddedUrl(service.dataDir)),
    validate: await fetchValidator(baseUrl),
  };
}

/** Starts the service, which must have been built, plays, and stops it. */
export async function playService(run: ServiceRun): Promise<ServiceResult> {
  const bridge = new Bridge();
  await bridge.listen();
  const service = await startService({ env: configuration(bridge) });
  const operator = await startOperator(service);
  try {
    const playground = await openPlayground(service, bridge, operator);
    const result = await playAll(run, playground);
    const strayCalls = [...bridge.faults];
    await playground.database.close();
    return { ...result, strayCalls };
  } finally {
    await operator.close();
    await service.dispose();
    bridge.close();
  }
}
