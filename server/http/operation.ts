// The shape of a REST operation: one entry of the route table, used by the handlers and by the OpenAPI document.
import type { z } from "zod";
import type { ErrorCode } from "@/server/domain/errors";
import type { KeyScope } from "@/server/domain/key-scopes";
import type { CallContext } from "@/server/domain/scope";
import type { Completed, Completion, Idempotency } from "@/server/services/idempotency/completion";
import type { Answer, IdempotencyLease } from "@/server/services/idempotency/once";

/** The groups of the API reference, with a description of each. */
export const TAGS = {
  "Payment intents": "Collect money from a customer.",
  "Payout intents": "Send money to a recipient, behind an approval gate.",
  "Top-up intents": "Fund the wallet from a crypto payment, with currency conversion.",
  Wallets: "Read balances and payment methods.",
  Events: "Read events and their deliveries to webhook endpoints.",
  "Webhook endpoints": "Manage the URLs that receive events.",
  "API log": "Read the calls that your keys have made.",
  Sandbox: "Simulate the provider and the customer, with test keys.",
} as const;

export type Params = Readonly<Record<string, string>>;
type Values<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What every operation declares. */
interface Description {
  /** Unique name, the OpenAPI operationId. */
  readonly id: string;
  /** Below /v1, with `:name` for parameters. */
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  /** True for additions to the interface document. */
  readonly extension: boolean;
  /** Success status → schema of its body and what it means. */
  readonly answers: Readonly<Record<number, { readonly schema: z.ZodType; readonly meaning: string }>>;
  /** Codes beyond those that every operation can answer. */
  readonly errors: readonly ErrorCode[];
}

/** What every operation that needs credentials declares. */
interface OperationDescription extends Description {
  /** The one scope that an API key needs. */
  readonly keyScope: KeyScope;
}

export interface ReadCall<Query> {
  readonly context: CallContext;
  readonly params: Params;
  readonly query: Query;
}

export interface ReadOperation extends OperationDescription {
  readonly method: "GET";
  readonly query: z.ZodObject | null;
  /** False if the API log leaves the answer's body out: an answer that shows other calls. True by default. */
  readonly answerIsLogged?: boolean;
  run(call: ReadCall<never>): Promise<unknown>;
}

interface WriteCall<Body> {
  readonly context: CallContext;
  readonly params: Params;
  readonly body: Body;
  readonly lease: IdempotencyLease;
}

export interface WriteOperation extends OperationDescription {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body: z.ZodType;
  readonly bodyOptional: boolean;
  readonly idempotencyKey: "optional" | "required";
  /** False for creations, which answer 403 merchant_suspended while the operator has suspended the merchant. */
  readonly worksWhileSuspended: boolean;
  /** True if the answer contains a secret: the answer stored for replays is then encrypted. */
  readonly isConfidential: boolean;
  run(call: WriteCall<never>): Promise<Answer>;
}

/** An answer that needs no credentials and never changes while the process runs. */
export interface StaticOperation extends Description {
  readonly method: "GET";
  readonly body: string;
}

export type Operation = ReadOperation | WriteOperation | StaticOperation;

/** True for an operation that changes something. */
export function isWrite(operation: Operation): operation is WriteOperation {
  return operation.method !== "GET";
}

/** Declares a read; `run` returns the resource of a 200. */
export function read<Query extends z.ZodObject | null>(
  operation: OperationDescription &
    Pick<ReadOperation, "answerIsLogged"> & {
      readonly query: Query;
      run(call: ReadCall<Values<Query>>): Promise<unknown>;
    },
): ReadOperation {
  return { ...operation, method: "GET", run: operation.run as ReadOperation["run"] };
}

interface WriteDeclaration<Body extends z.ZodType, Intent> extends OperationDescription {
  /** Defaults to POST. */
  readonly method?: WriteOperation["method"];
  readonly body: Body;
  readonly bodyOptional?: boolean;
  readonly idempotencyKey: "optional" | "required";
  readonly worksWhileSuspended: boolean;
  readonly isConfidential?: boolean;
  present(intent: Intent): unknown;
  verb(call: WriteCall<z.output<Body>>, idempotency: Idempotency<Intent>): Promise<Completed<Intent>>;
}

const STATUS_OF: Readonly<Record<Completion, number>> = { created: 201, repeated: 200, changed: 200, accepted: 202 };

/** Declares a write: a verb that completes under its idempotency key, and how its intent is presented. */
export function write<Body extends z.ZodType, Intent>(declaration: WriteDeclaration<Body, Intent>): WriteOperation {
  const { present, verb, ...described } = declaration;
  const toAnswer = (intent: Intent, completion: Completion): Answer => ({
    status: STATUS_OF[completion],
    body: JSON.stringify(present(intent)),
  });

  async function run(call: WriteCall<z.output<Body>>): Promise<Answer> {
    const done = await verb(call, { lease: call.lease, present: toAnswer });
    return toAnswer(done.intent, done.completion);
  }

  return {
    ...described,
    method: declaration.method ?? "POST",
    bodyOptional: declaration.bodyOptional ?? false,
    isConfidential: declaration.isConfidential ?? false,
    run: run as WriteOperation["run"],
  };
}
