// Owns saying that something waits for a one-time code.

/** The same call with a good code may succeed. */
export class CodeRequired extends Error {
  override readonly name = "CodeRequired";
}
