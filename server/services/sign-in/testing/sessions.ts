// Sessions of members who have just signed in, for tests.
import { query } from "@/server/db/client";
import { openSession, type SignInMethod } from "../sessions";

/** Opens a session as a sign-in that nothing disturbs does; returns its id. */
export async function enterAs(
  { id, merchantId }: { readonly id: string; readonly merchantId: string },
  address = "",
  userAgent = "",
  method: SignInMethod = "password",
): Promise<string> {
  const [member] = await query<{ accessVersion: number }>(
    `SELECT access_version AS "accessVersion" FROM member WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    id,
  );
  const sessionId = await openSession(
    { id, merchantId, accessVersion: member?.accessVersion ?? -1 },
    address,
    userAgent,
    method,
  );
  if (sessionId === null) throw new Error(`member ${id} could not enter`);
  return sessionId;
}
