export interface Level {
  readonly day: string;
  /** Minor units. */
  readonly closing: string;
}

/** The latest day with each level, since readers can most easily explain it; null without days. */
export function extremesOf(levels: readonly Level[]): { readonly lowest: Level; readonly highest: Level } | null {
  const [first, ...rest] = levels;
  if (!first) return null;
  let [lowest, highest] = [first, first];
  for (const level of rest) {
    if (BigInt(level.closing) <= BigInt(lowest.closing)) lowest = level;
    if (BigInt(level.closing) >= BigInt(highest.closing)) highest = level;
  }
  return { lowest, highest };
}
