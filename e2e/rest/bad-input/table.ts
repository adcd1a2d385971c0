/** Header values as text, several headers of one name as a list, null for a header that must be absent. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | null>>;

/** One request. Placeholders (placeholders.ts) are filled in before it is sent. */
export interface TableRequest {
  /** Unique within its file. */
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  /** In addition to the test key's credentials and, with a body, `application/json`. */
  readonly headers?: HeaderValues;
  /** Text is sent verbatim, anything else as JSON. */
  readonly body?: string | object;
  /** Bytes that no text can express. */
  readonly bodyBase64?: string;
  /** A whole request for a bare socket, one character per byte, sent verbatim. */
  readonly raw?: string;
}

/** The contract's one answer to a bad request. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The beginning of the message. */
  readonly field?: string;
  /** The Allow header. */
  readonly allow?: string;
}

export interface BadInput extends TableRequest {
  readonly expect: Refusal;
}

/** A request that looks wrong but is valid. */
export interface OddInput extends TableRequest {
  readonly expect: {
    readonly status: number;
    /** Members that the answer must have, compared exactly; dots separate the levels of objects. */
    readonly shows?: Readonly<Record<string, unknown>>;
    /** The Ignored-Parameters header. */
    readonly ignored?: string;
  };
}
