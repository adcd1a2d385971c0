// What must become of callbacks: a flawed one is set aside for a person, any other is not.

/** Exceptions of kind `unapplied_callback`: how many there are about each object. */
export type SetAside = ReadonlyMap<string, number>;

/** `expected` has one for each flawed callback: about the reference in it, or about the callback where it names none. */
export function callbackViolations(expected: SetAside, actual: SetAside): string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((object) => {
    const [should, is] = [expected.get(object) ?? 0, actual.get(object) ?? 0];
    return should === is ? [] : [`unapplied_callback exceptions about ${object} should be ${should}, are ${is}`];
  });
}
