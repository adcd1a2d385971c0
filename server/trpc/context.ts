// The context of a procedure call: its session and its origin.
import { sessionOfRequest } from "@/server/auth/request-session";
import { forwardedAddress } from "@/server/http/client-address";
import { newId } from "@/server/platform/ids";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { toTrpcError } from "./errors";

export interface TrpcContext {
  /** Null for a visitor; every procedure rejects visitors. */
  readonly session: MemberSession | null;
  readonly requestId: string;
  readonly address: string | null;
}

/** Reads the session of a request. Throws a TRPCError for a procedure's caller, in an outage one with status 503. */
export async function createContext(headers: Headers): Promise<TrpcContext> {
  const address = forwardedAddress(headers);
  return {
    session: await sessionOfRequest(headers).catch((error: unknown) => {
      throw toTrpcError(error);
    }),
    requestId: newId("request"),
    address: address === "" ? null : address,
  };
}
