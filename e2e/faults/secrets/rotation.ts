// Moves every sealed value to a new secret while clients write, and removes the old one.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { approverOf } from "../../rest/world";
import { cliWith } from "../../support/cli";
import { startOperator } from "../../support/operator";
import type { Variables } from "../../support/service-process";
import { judge } from "../postgres/judge";
import { startLoad, type Written } from "../postgres/load";
import { until } from "../postgres/play";
import { commandsOf } from "./outside";

const BEFORE = 24;
const AFTER = 24;
const REHASHED_WITHIN_MS = 60_000;
const PAUSE_MS = 250;

/** The old secret and the new one, in base64. */
interface Secrets {
  readonly old: string;
  readonly fresh: string;
}

export interface Rotated {
  /** Values that got the new key. */
  readonly rows: number;
  readonly unreadable: number;
  /** Ms that the rewrap took. */
  readonly ms: number;
  /** What clients wrote beside it. */
  readonly written: readonly Written[];
  /** Names the old secret in stored values. */
  readonly oldKeyId: string;
  /** Values that still need the old secret although a rewrap ends that. */
  readonly left: readonly string[];
}

interface Rewrapped {
  readonly data: readonly { readonly column: string; readonly rows: number; readonly unreadable: number }[];
}

interface Status {
  readonly old_keys: readonly { readonly variable: string; readonly key_id: string }[];
  readonly data: readonly { readonly column: string; readonly state: string; readonly ends_by: string }[];
}

/** The variables of a service whose records keep their old secret, as docs/operating.md says. */
const settings = (secrets: string, { old, fresh }: Secrets): Variables => ({
  SLUICE_SECRETS: secrets,
  SLUICE_RECORD_SECRETS: `${fresh},${old}`,
});

/** Puts the new secret in front, rewraps under the load of eight clients, and returns what came of it. */
export async function rotateUnderLoad({ world, live, merchant }: Bridge, secrets: Secrets): Promise<Rotated> {
  const changes = settings(`${secrets.fresh},${secrets.old}`, secrets);
  await world.service.restart(changes);
  const { service } = world;
  const database = service.database && { ...service.database, ...changes };
  const operator = await startOperator({ ...service, ...(database && { database }) });
  try {
    const approve = await approverOf({ baseUrl: service.baseUrl, dataDir: service.dataDir, operator }, merchant.id);
    const load = startLoad({ live, approve });
    await until(() => load.count() >= BEFORE);
    const startedAt = performance.now();
    const { data } = await cliWith<Rewrapped>(service.variables, "secrets", "rewrap");
    const ms = performance.now() - startedAt;
    const atEnd = load.count();
    await until(() => load.count() >= atEnd + AFTER);
    const written = await load.stop();
    const status = await cliWith<Status>(service.variables, "secrets", "status");
    return {
      rows: data.reduce((sum, { rows }) => sum + rows, 0),
      unreadable: data.reduce((sum, { unreadable }) => sum + unreadable, 0),
      ms,
      written,
      oldKeyId: status.old_keys.find(({ variable }) => variable === "SLUICE_SECRETS")?.key_id ?? "",
      left: status.data.flatMap(({ column, state, ends_by }) =>
        ends_by === "rewrap" && state !== "current" ? [column] : [],
      ),
    };
  } finally {
    await operator.close();
  }
}

/** Waits until no key of the merchant that was used needs the old secret. Throws after a minute. */
export async function untilRehashed({ world }: Bridge, merchantId: string, oldKeyId: string): Promise<void> {
  for (const end = Date.now() + REHASHED_WITHIN_MS; Date.now() < end; await sleep(PAUSE_MS)) {
    const old = await world.database.query(
      "SELECT FROM api_key WHERE merchant_id = $1 AND pepper_id = $2 AND last_used_at IS NOT NULL",
      merchantId,
      oldKeyId,
    );
    if (old.length === 0) return;
  }
  throw new Error("the merchant's keys still need the old secret");
}

/** Restarts the service without the old secret; only records keep it. */
export async function removeOldSecret({ world }: Bridge, secrets: Secrets): Promise<void> {
  await world.service.restart(settings(secrets.fresh, secrets));
}

/** Judges the writes like any load, but here no answer may be 503. Returns the problems. */
export async function judgeWrites({ world, psp }: Bridge, written: readonly Written[]): Promise<string[]> {
  const refused = written.flatMap(({ table, attempts }) =>
    attempts
      .filter(({ status }) => status === 503)
      .map(({ status }) => `a creation of ${table} was answered ${status}`),
  );
  const { database, service } = world;
  return [...refused, ...(await judge({ world: { database, cli: commandsOf(service) }, psp }, written))];
}
