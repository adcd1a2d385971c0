// The examples of the OpenAPI document. A spec makes these calls and compares the answers (e2e/rest/examples.spec.ts).
import type { ErrorCode } from "@/server/domain/errors";
import recorded from "./examples.generated.json" with { type: "json" };

interface Recorded {
  readonly operations: Readonly<
    Record<string, { readonly request?: unknown; readonly answers: Readonly<Record<string, unknown>> }>
  >;
  readonly errors: Readonly<Partial<Record<ErrorCode, unknown>>>;
}

const { operations, errors }: Recorded = recorded;

type Examples = Readonly<Record<string, { readonly value: unknown }>>;

/** The `examples` of an operation's request; none for a request without members. */
export function requestExamples(operationId: string): { examples?: Examples } {
  const value = operations[operationId]?.request;
  return value === undefined ? {} : { examples: { request: { value } } };
}

/** The `examples` of an operation's success. */
export function answerExamples(operationId: string, status: string): { examples?: Examples } {
  const value = operations[operationId]?.answers[status];
  return value === undefined ? {} : { examples: { answer: { value } } };
}

/** The `examples` of an error, by its code. */
export function errorExamples(codes: readonly ErrorCode[]): { examples?: Examples } {
  const examples = codes.flatMap((code) =>
    errors[code] === undefined ? [] : [[code, { value: errors[code] }] as const],
  );
  return examples.length === 0 ? {} : { examples: Object.fromEntries(examples) };
}
