// The trace of an intent is named by the intent: its id contains a UUID, and a trace id has as many bytes. So every process
// finds the trace without storing or passing anything.
import { TypeID } from "typeid-js";

export interface SpanIds {
  /** W3C trace id, 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/**
 * Returns the ids of the first span of an intent's trace: the UUID, and its end, which is random. The request that creates
 * the intent has them, and spans of other processes name them as their parent. Null for a text that is no id.
 */
export function firstSpanOf(intentId: string): SpanIds | null {
  try {
    const traceId = TypeID.fromString(intentId).toUUID().replaceAll("-", "");
    return { traceId, spanId: traceId.slice(16) };
  } catch {
    return null;
  }
}
