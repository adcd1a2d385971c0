// The required result of callbacks: a flawed one opens an exception, any other does not.

/** Exceptions of kind `unapplied_callback`: their number per object. */
export type SetAside = ReadonlyMap<string, number>;

/** `expected` has one for each flawed callback: about its reference, or about the callback if it has none. */
export function callbackViolations(expected: SetAside, actual: SetAside): string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((object) => {
    const [should, is] = [expected.get(object) ?? 0, actual.get(object) ?? 0];
    return should === is ? [] : [`unapplied_callback exceptions about ${object} should be ${should}, are ${is}`];
  });
}
