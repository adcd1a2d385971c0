// What a table of requests holds.

/** Header values as text, several headers of one name as a list, null for a header that must be absent. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | null>>;

/** One request. Placeholders (placeholders.ts) are filled in before it is sent. */
export interface TableRequest {
  /** Unique within its file. */
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  /** On top of the test key's credentials and, with a body, `application/json`. */
  readonly headers?: HeaderValues;
  /** Text goes out as it is, anything else as JSON. */
  readonly body?: string | object;
  /** Bytes that no text can express. */
  readonly bodyBase64?: string;
  /** A whole request for a bare socket, one character a byte; nothing is added to it. */
  readonly raw?: string;
}

/** The one answer that the contract gives to a bad request. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Leads the message. */
  readonly field?: string;
  /** The Allow header. */
  readonly allow?: string;
}

export interface BadInput extends TableRequest {
  readonly expect: Refusal;
}

/** A request that looks wrong and is right. */
export interface OddInput extends TableRequest {
  readonly expect: {
    readonly status: number;
    /** Members the answer must have, compared exactly; dots lead into objects. */
    readonly shows?: Readonly<Record<string, unknown>>;
    /** The Ignored-Parameters header. */
    readonly ignored?: string;
  };
}
