// What a request's line and headers do not contain about its sender.

export interface Peer {
  /** The caller's address: of the connection, or named by a trusted proxy. Empty if unknown. */
  readonly address: string;
  /** Lowercase names of headers sent twice where one is allowed. Node joins or drops repeated ones. */
  readonly duplicateHeaders: readonly string[];
}
