// Who is calling and for whom: environment, scope (merchant and environment), actor, call context.

export const ENVIRONMENTS = ["test", "live"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** The merchant and environment that every read and write is confined to (interface §1, §5). */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}

/** Who causes a change; stored on every audit entry. `operator` is a person at the command line of the server. */
export interface Actor {
  readonly type: "api_key" | "member" | "worker" | "provider" | "payer" | "operator";
  readonly id: string;
  /** The member's address, where an operator stated it to act as that member at the command line. */
  readonly statedAddress?: string;
}

/** Whose act it is in every record: the operator's, under the stated address, where an operator acts as a member. */
export function recordedActor(actor: Actor): Actor {
  return actor.statedAddress === undefined ? actor : { type: "operator", id: actor.statedAddress };
}

/** The context of a call; `requestId` and `address` are null for calls that came without a request. */
export interface CallContext {
  readonly scope: Scope;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly address: string | null;
  /** The member's session, if the call came with one. A passkey proves an act only for the session that asked for it. */
  readonly sessionId?: string;
}
