// What goes wrong during a history, drawn by chance: in the provider, in the service's processes, in the database.
import { setTimeout as sleep } from "node:timers/promises";
import type { Mode } from "../../support/fake-psp/faults";
import { childrenOf } from "../../support/postgres/children";
import type { DatabaseStage } from "../postgres/play";

/** How a provider misbehaves without lying: whatever it executed, it tells when asked again. */
const MODES: readonly Mode[] = [
  "execute_then_drop",
  "execute_then_hang",
  "garbage",
  "delay",
  "drop",
  "server_error",
  "decline",
  "invalid_recipient",
  "not_accept",
];
/** Nothing else has a recipient. */
const ONLY_PAYOUTS = { kind: "payouts" } as const;
const RULE_EVERY_MS = 150;
const FAULT_EVERY_MS = 1_200;
const CHECK_EVERY_MS = 400;
const DELAY_MS = 200;

type Fault = (stage: DatabaseStage, draw: (below: number) => number) => Promise<void>;

const FAULTS: Readonly<Record<string, Fault>> = {
  async "database session killed"({ server }) {
    await server.killOneSession();
    await server.accepting();
  },
  async "database server killed"({ server }) {
    await server.killAll();
    await server.start();
  },
  async "database stopped at once"({ server }) {
    await server.stop("immediate");
    await server.start();
  },
  async "process of the service killed"({ bridge }, draw) {
    const children = childrenOf(bridge.world.service.pid);
    const pid = children[draw(children.length)];
    if (pid) process.kill(pid, "SIGKILL");
  },
  async "all processes of the service killed"({ bridge }) {
    await bridge.world.service.kill9("group");
    await bridge.world.service.restart();
  },
  async "provider killed"({ bridge }) {
    await bridge.psp.kill9();
    await bridge.psp.restart();
    await bridge.psp.callbacksTo(bridge.world.service.baseUrl);
  },
};
export const FAULT_NAMES = [...MODES.map((mode) => `provider: ${mode}`), ...Object.keys(FAULTS)];

export interface Disturbance {
  /** How often each fault was caused. */
  readonly counts: Readonly<Record<string, number>>;
  /** Checks of the invariants on a snapshot while the clients worked. */
  readonly checks: number;
  readonly problems: readonly string[];
}

/** These say that a worker keeps up. A killed one does not; they must hold again at the end. */
const OF_A_WORKER = [
  "no_intent_is_overdue",
  "no_refund_is_overdue",
  "no_callback_is_overdue",
  "no_audit_entry_waits_long",
  "no_endpoint_is_forgotten",
];

/** The invariants that the command found broken, each with its first rows; null if it could not check. */
function brokenInvariants(error: string): string[] | null {
  const printed = /the command failed: (\{"checked".*\})/.exec(error)?.[1];
  if (printed === undefined) return null;
  const { checked } = JSON.parse(printed) as { checked: { name: string; rows: number; violations: unknown[] }[] };
  return checked
    .filter(({ name, rows }) => rows > 0 && !OF_A_WORKER.includes(name))
    .map(({ name, violations }) => `${name}: ${JSON.stringify(violations)}`);
}

export interface DisturberOptions {
  readonly isOver: () => boolean;
  /** False when clients have waited so long that nothing may fail before one has an answer. */
  readonly mayFail: () => boolean;
}

/** Disturbs until it is over. */
export async function disturb(
  stage: DatabaseStage,
  draw: (below: number) => number,
  { isOver, mayFail }: DisturberOptions,
): Promise<Disturbance> {
  const { psp, world } = stage.bridge;
  const counts: Record<string, number> = {};
  const problems: string[] = [];
  let checks = 0;
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const every = async (ms: number, work: () => Promise<void>) => {
    for (await sleep(ms); !isOver(); await sleep(ms)) await work();
  };

  async function misbehave(): Promise<void> {
    const mode = MODES[draw(MODES.length)] ?? "drop";
    // A provider that is down at the moment misbehaves anyway.
    const rule = { mode, ms: DELAY_MS, times: 1 + draw(2), ...(mode === "invalid_recipient" && ONLY_PAYOUTS) };
    await psp.misbehave(rule).then(
      () => count(`provider: ${mode}`),
      () => {},
    );
  }

  async function fail(): Promise<void> {
    if (!mayFail()) return;
    const names = Object.keys(FAULTS);
    const name = names[draw(names.length)] ?? "";
    await FAULTS[name]?.(stage, draw);
    count(name);
  }

  async function check(): Promise<void> {
    try {
      await world.cli("invariants");
      checks += 1;
    } catch (error) {
      const broken = brokenInvariants(String(error));
      if (broken === null) return;
      checks += 1;
      problems.push(...broken.map((one) => `while clients worked: ${one}`));
    }
  }

  await Promise.all([every(RULE_EVERY_MS, misbehave), every(FAULT_EVERY_MS, fail), every(CHECK_EVERY_MS, check)]);
  return { counts, checks, problems };
}
