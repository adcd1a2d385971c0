// Members who have a passkey, for tests.
import type { CallContext } from "@/server/domain/scope";
import { enrolPasskey } from "../enrol";
import { confirmPasskey } from "../manage-passkeys";
import { createAuthenticator, type SoftwareAuthenticator } from "./authenticator";
import { enterAs } from "./sessions";

export interface PasskeyHolder {
  readonly authenticator: SoftwareAuthenticator;
  /** Acts of the session in which the passkey was added. */
  readonly call: CallContext & { readonly sessionId: string };
}

/** Adds a passkey to a member of the running work's cell, in a session of its own. */
export async function addPasskey(
  member: { readonly merchantId: string; readonly id: string },
  password: string,
): Promise<PasskeyHolder> {
  const authenticator = createAuthenticator();
  const sessionId = await enterAs(member);
  const scope = { merchantId: member.merchantId, environment: "test" } as const;
  const actor = { type: "member", id: member.id } as const;
  const call = { scope, actor, requestId: null, address: null, sessionId };
  const { challenge } = await enrolPasskey(call, sessionId, { password, proof: {}, label: "ana" });
  const registration = authenticator.create(challenge);
  await confirmPasskey(call, sessionId, { name: "Laptop", registration, transports: ["internal"] });
  return { authenticator, call };
}
