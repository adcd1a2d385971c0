// Which status may follow which, as docs/states.md draws it.
import type { Kind } from "./kinds";

const HEADINGS: Readonly<Record<Kind, string>> = {
  payment: "## Payment intents",
  payout: "## Payout intents",
  topup: "## Top-up intents",
};
const ARROW = /^\s*(\w+|\[\*\]) --> (\w+|\[\*\])/;
/** Where a diagram begins and ends. */
const OUTSIDE = "[*]";

/** The statuses of one kind of intent. */
export interface States {
  readonly isFinal: (status: string) => boolean;
  /** True if an intent that was in `from` may be in `to` later, or still. False for statuses that are not drawn. */
  readonly leads: (from: string, to: string) => boolean;
}

/** Reads the diagrams. Throws if one is missing. */
export function readStates(markdown: string): Readonly<Record<Kind, States>> {
  const read = (kind: Kind): States => {
    const [, section] = markdown.split(`${HEADINGS[kind]}\n`);
    const next = new Map<string, Set<string>>();
    for (const line of section?.split("\n## ")[0]?.split("\n") ?? []) {
      const [, from, to] = ARROW.exec(line) ?? [];
      if (from === undefined || to === undefined || from === OUTSIDE) continue;
      next.set(from, (next.get(from) ?? new Set()).add(to));
    }
    if (next.size === 0) throw new Error(`the states of a ${kind} are not drawn`);
    return {
      isFinal: (status) => next.get(status)?.has(OUTSIDE) ?? false,
      leads: (from, to) => next.has(to) && reachedFrom(next, from).has(to),
    };
  };
  return { payment: read("payment"), payout: read("payout"), topup: read("topup") };
}

function reachedFrom(next: ReadonlyMap<string, ReadonlySet<string>>, from: string): ReadonlySet<string> {
  const reached = new Set(next.has(from) ? [from] : []);
  for (const status of reached) for (const further of next.get(status) ?? []) reached.add(further);
  return reached;
}
