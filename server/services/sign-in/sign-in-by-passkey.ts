// Signing in with a passkey, which proves possession and the person in one step.

import { findCredentialsAcrossMerchants } from "@/server/db/member-credentials";
import { findPasskeyAcrossMerchants, type OwnedPasskey } from "@/server/db/passkeys";
import { isNotFound, notFoundError } from "@/server/domain/errors";
import { type Cell, currentCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { inCellThatKnows } from "../cells/moved";
import { type Device, isDeviceOf } from "./known-device";
import { type Assertion, memberIn, passkeyThrottle, verifyAssertion } from "./passkeys";
import { recordRefusedAttempt, SIGN_IN_ACTOR } from "./refused-attempts";
import type { AttemptSource } from "./sign-in-throttle";

interface PasskeySignIn {
  readonly assertion: Assertion;
  /** What the browser received when it began to sign in; null without it. */
  readonly binding: string | null;
  /** The client's IP address; empty if unknown. */
  readonly address: string;
  /** From the browser's device cookie, if it has one. */
  readonly device?: Device | null;
}

/** Whose passkey it is. */
export type PasskeyOwner = Pick<OwnedPasskey, "merchantId" | "email" | "accessVersion"> & {
  readonly id: string;
  readonly cell: Cell;
};

/**
 * Returns the member whose passkey signed the challenge that this browser received. Returns null for anything else, for a
 * disabled member, and after too many refusals of this address or member. The authenticator says the member, whose id has the
 * tag of the cell that made it.
 */
export async function signInByPasskey(given: PasskeySignIn): Promise<PasskeyOwner | null> {
  const start = cellOfId(memberIn(given.assertion) ?? "");
  try {
    return await inCellThatKnows(start, isNotFound, () => signInWithin(given));
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Throws not_found for a passkey that the cell does not have. */
async function signInWithin(given: PasskeySignIn): Promise<PasskeyOwner | null> {
  const cell = currentCell();
  const { assertion, binding, address, device = null } = given;
  // Only a device skips the count of its address, which strangers may have used up.
  if (binding === null || (device === null && !(await passkeyThrottle().beginFrom(address)))) return null;
  const passkey = await findPasskeyAcrossMerchants(assertion.id);
  const isKnown = passkey !== null && (await isKnownTo(passkey, device));
  if (device !== null && !isKnown && !(await passkeyThrottle().beginFrom(address))) return null;
  if (!passkey) throw notFoundError();
  if (passkey.disabledAt !== null) return null;
  const { merchantId, memberId, email, accessVersion } = passkey;
  const source: AttemptSource = isKnown && device ? { kind: "device", id: device.id } : { kind: "address", address };
  const attempt = await passkeyThrottle().begin(memberId, source);
  if (!attempt) return null;
  const call = { actor: SIGN_IN_ACTOR, requestId: null, address: address || null };
  const use = { purpose: "sign_in", binding } as const;
  return withinMerchant(merchantId, async () => {
    if (!(await verifyAssertion(passkey, assertion, use, call))) {
      log().warn({ memberId, address }, "a sign-in with a passkey was rejected");
      await recordRefusedAttempt({ merchantId, memberId }, "passkey", attempt, call);
      return null;
    }
    await passkeyThrottle().succeed(memberId, source);
    if (source.kind === "address") await passkeyThrottle().succeedFrom(address);
    log().info({ memberId, merchantId, address }, "a member signed in with a passkey");
    return { id: memberId, merchantId, email, accessVersion, cell };
  });
}

/** True if the passkey's member signed in on the device before. */
async function isKnownTo({ memberId, email }: OwnedPasskey, device: Device | null): Promise<boolean> {
  if (device?.memberId !== memberId) return false;
  const member = (await findCredentialsAcrossMerchants(email)).find(({ id }) => id === memberId);
  return member !== undefined && isDeviceOf(device, member);
}
