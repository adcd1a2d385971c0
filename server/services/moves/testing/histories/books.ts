// What a merchant of a history was told: its own books, in which nothing is known of cells and fences.
import type { Environment } from "@/server/domain/scope";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import type { Answer } from "../api-call";

export type RequestKind =
  | "create payment"
  | "create payout"
  | "cancel payout"
  | "simulate"
  | "create endpoint"
  | "update endpoint"
  | "delete endpoint";

/** A request under an Idempotency-Key. */
export interface Request {
  readonly kind: RequestKind;
  /** The id of what it changes; null for a creation. */
  readonly subject: string | null;
  readonly key: CreatedKey;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object | undefined;
  readonly idempotencyKey: string;
}

/** A payment or payout as its creation was answered, with the last status that the merchant was told. */
export interface Told {
  readonly fields: Readonly<Record<string, unknown>>;
  status: string;
}

export interface ToldEndpoint {
  description: string;
  isDeleted: boolean;
}

export interface ToldKey {
  readonly key: CreatedKey;
  isRevoked: boolean;
}

/** The beginning of a list that is read on later, from its cursor. */
export interface Walk {
  readonly cursor: string;
  readonly seen: readonly string[];
  /** The ids that were there when it began. */
  readonly before: readonly string[];
}

/** Plain data, so that a copy of it says what a backup has. */
export interface Books {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly opening: bigint;
  /** Where the last command said that the merchant is; null if none has, since it was killed. */
  home: string | null;
  readonly keys: ToldKey[];
  readonly payments: Map<string, Told>;
  readonly payouts: Map<string, Told>;
  /** Ids of payouts that a member has approved. */
  readonly approved: Set<string>;
  readonly endpoints: Map<string, ToldEndpoint>;
  /** Ids of members, with those that the merchant had at the beginning. */
  readonly members: Set<string>;
  /** Names of keys and addresses of members whose creation got no answer, and ids of keys whose revocation got none. */
  readonly unsure: Set<string>;
  readonly answered: { readonly request: Request; readonly answer: Answer }[];
  /** Requests without a definite answer, which are sent again. */
  readonly open: Request[];
  readonly walks: Walk[];
}

const EXPECTED: Readonly<Record<RequestKind, number>> = {
  "create payment": 201,
  "create payout": 201,
  "cancel payout": 202,
  simulate: 200,
  "create endpoint": 201,
  "update endpoint": 200,
  "delete endpoint": 200,
};

/** Notes a definite answer. Returns what is strange about it; null if nothing is. */
export function noteAnswer(books: Books, request: Request, answer: Answer): string | null {
  const { kind } = request;
  if (answer.status !== EXPECTED[kind]) return `${kind} was answered ${answer.status}: ${answer.text}`;
  books.answered.push({ request, answer });
  const body = JSON.parse(answer.text) as Readonly<Record<string, unknown>>;
  const id = String(body["id"]);
  const told = () => ({ fields: body, status: String(body["status"]) });
  switch (kind) {
    case "create payment":
      books.payments.set(id, told());
      return null;
    case "create payout":
      books.payouts.set(id, told());
      return null;
    case "cancel payout":
    case "simulate": {
      const known = books.payments.get(id) ?? books.payouts.get(id);
      if (known) known.status = String(body["status"]);
      return known ? null : `${kind} was answered with another object: ${answer.text}`;
    }
    case "create endpoint":
      books.endpoints.set(id, { description: String(body["description"]), isDeleted: false });
      return null;
    case "update endpoint":
    case "delete endpoint": {
      const endpoint = books.endpoints.get(request.subject ?? "");
      if (!endpoint) return `${kind} was answered for an unknown endpoint`;
      if (kind === "delete endpoint") endpoint.isDeleted = true;
      else endpoint.description = String(body["description"]);
      return null;
    }
  }
}

/** A copy of the books, for a backup. */
export const copyOf = (books: Books): Books => structuredClone(books);

/** Whether a request that is not answered concerns this object: what it comes to is not known then. */
export const isUnderWay = (books: Books, id: string): boolean => books.open.some(({ subject }) => subject === id);
