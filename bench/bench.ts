// What a section receives: the stage, the options, the peers on demand, and where to record results.
import type { Options } from "./options";
import { type Peer, startPeer } from "./processes";
import { untilQuiet } from "./quiet";
import type { Figure, Results } from "./results";
import { type Case, type Measured, messageOf, runCase, type Settings } from "./rounds";
import type { Stage } from "./stage";

export interface Peers {
  readonly statements: Peer;
  readonly cte: Peer;
  readonly typical: Peer;
}

export interface Bench {
  readonly stage: Stage;
  readonly options: Options;
  /** The other servers, started at the first call. */
  peers(): Promise<Peers>;
  /** Runs a case and records its results. A failed case is recorded, and the run continues. */
  measure(one: Case, settings?: Settings): Promise<void>;
  note(figure: Figure): void;
  /** What was measured so far. */
  readonly measured: readonly Measured[];
  /** Ends the other servers, if they were started. */
  close(): Promise<void>;
}

/** A part of the run, which `--only <name>` can select. */
export interface Section {
  readonly name: string;
  run(bench: Bench): Promise<void>;
}

async function startPeers({ databaseUrl, samplePath, reader, writer }: Stage): Promise<Peers> {
  const words = (writing: string) => [databaseUrl, samplePath, writing, reader.id, writer.authorization];
  const statements = await startPeer("fastify/server.ts", words("statements"));
  const cte = await startPeer("fastify/server.ts", words("cte"));
  const typical = await startPeer("typical/server.ts", [], {
    PEER_DATABASE_URL: databaseUrl,
    PEER_SAMPLE_PATH: samplePath,
    PEER_READER_ID: reader.id,
    PEER_AUTHORIZATION: writer.authorization,
  });
  return { statements, cte, typical };
}

function say({ name, value, unit }: Figure): void {
  process.stdout.write(`${name}: ${value.toFixed(2)} ${unit}\n`);
}

/** A bench that records into `results`. */
export function createBench(stage: Stage, options: Options, results: Results): Bench {
  let peers: Promise<Peers> | undefined;
  return {
    stage,
    options,
    measured: results.measured,
    peers() {
      peers ??= startPeers(stage);
      return peers;
    },
    async measure(one, settings = options.settings) {
      try {
        await runCase(
          one,
          settings,
          () => untilQuiet(stage.database),
          (measured) => results.measured.push(measured),
        );
      } catch (error) {
        results.failures.push({ what: one.name, message: messageOf(error) });
        process.stderr.write(`${one.name} FAILED: ${messageOf(error)}\n`);
      }
    },
    note(figure) {
      results.figures.push(figure);
      say(figure);
    },
    async close() {
      const started = await peers?.catch(() => undefined);
      if (started) await Promise.all(Object.values(started).map((peer: Peer) => peer.stop()));
    },
  };
}
