// The context of a procedure call: its session and its origin.

import { readerLanguage } from "@/server/auth/reader-language";
import { sessionOfRequest } from "@/server/auth/request-session";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { forwardedAddress } from "@/server/http/client-address";
import { newId } from "@/server/platform/ids";
import type { MemberSession } from "@/server/services/sign-in/sessions";
import { toTrpcError } from "./errors";

export interface TrpcContext {
  /** Null for a visitor; every procedure rejects visitors. */
  readonly session: MemberSession | null;
  readonly requestId: string;
  readonly address: string | null;
  /** The language of who called, found when it is first asked for. */
  readonly language: () => Promise<DashboardLanguage>;
}

/** Reads the session of a request. Throws a TRPCError for a procedure's caller, in an outage one with status 503. */
export async function createContext(headers: Headers): Promise<TrpcContext> {
  const address = forwardedAddress(headers);
  const session = await sessionOfRequest(headers).catch(async (error: unknown) => {
    throw toTrpcError(error, await readerLanguage(null, headers));
  });
  return {
    session,
    requestId: newId("request"),
    address: address === "" ? null : address,
    language: once(() => readerLanguage(session, headers)),
  };
}

/** The function's promise, made by its first call. */
function once<Value>(find: () => Promise<Value>): () => Promise<Value> {
  let found: Promise<Value> | null = null;
  return () => {
    found ??= find();
    return found;
  };
}
