// Owns what a request's line and headers do not tell about where it came from.

export interface Peer {
  /** The address the connection comes from. */
  readonly address: string;
  /** Names, in lower case, of headers sent twice where one is allowed: Node joins or drops repeated ones. */
  readonly duplicateHeaders: readonly string[];
}
