// Owns the fault that no retry will mend: an intent waits until the operator puts something right.

/** `message` is for the log; `why` is for the people who see the exception, and names no secret. */
export class Impassable extends Error {
  constructor(
    message: string,
    readonly why: string,
  ) {
    super(message);
    this.name = "Impassable";
  }
}
