// Every status of an intent that anybody has seen: it never goes back, and a final one never changes.
import type { Kind } from "./kinds";
import type { States } from "./states";

/** A status in an answer. */
export interface Sighting {
  readonly kind: Kind;
  readonly id: string;
  readonly status: string;
  /** The kind of answer. */
  readonly by: string;
}

export interface Sightings {
  /** How many there were. */
  readonly count: number;
  readonly problems: readonly string[];
  /** Notes what an answer shows that was asked for at `since`, in ms of the same clock as `now`. */
  readonly see: (sighting: Sighting, since: number) => void;
  /** Notes what an event announces, which may have happened long ago. */
  readonly hear: (sighting: Sighting) => void;
}

interface Seen {
  readonly by: string;
  /** When the first answer that showed it had arrived. */
  readonly at: number;
}

/** Begins with nothing seen. `now` returns the time in ms. */
export function createSightings(
  states: Readonly<Record<Kind, States>>,
  now: () => number = () => performance.now(),
): Sightings {
  const seen = new Map<string, Map<string, Seen>>();
  const problems: string[] = [];
  let count = 0;

  function note({ kind, id, status, by }: Sighting, contradicts: (earlier: string, seen: Seen) => boolean): void {
    count += 1;
    const ofIntent = seen.get(id) ?? new Map<string, Seen>();
    seen.set(id, ofIntent);
    for (const [earlier, known] of ofIntent)
      if (contradicts(earlier, known))
        problems.push(`the ${kind} ${id} is ${status} in ${by}, and was ${earlier} in ${known.by}`);
    if (!ofIntent.has(status)) ofIntent.set(status, { by, at: now() });
  }

  return {
    get count() {
      return count;
    },
    problems,
    see(sighting, since) {
      const { leads } = states[sighting.kind];
      if (!leads(sighting.status, sighting.status)) problems.push(`${sighting.id} has no status ${sighting.status}`);
      // Two answers under way at the same moment may arrive in either order.
      note(sighting, (earlier, { at }) => at <= since && !leads(earlier, sighting.status));
    },
    hear(sighting) {
      const { isFinal } = states[sighting.kind];
      if (!isFinal(sighting.status)) problems.push(`an event says that ${sighting.id} is ${sighting.status}`);
      note(sighting, (earlier) => isFinal(earlier) && earlier !== sighting.status);
    },
  };
}
