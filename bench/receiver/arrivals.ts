/** What a receiver answers a GET with. Each is "path event-id". */
export interface Arrivals {
  /** Everything received since the last GET, each once. */
  readonly arrived: readonly string[];
  /** What came again, once for each time. */
  readonly repeated: readonly string[];
}
