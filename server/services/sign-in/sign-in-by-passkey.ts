// Signing in with a passkey, which proves possession and the person in one step.

import { findPasskeyAcrossMerchants, type OwnedPasskey } from "@/server/db/passkeys";
import { isNotFound, notFoundError } from "@/server/domain/errors";
import { type Cell, currentCell, inCell, inSharedCell } from "@/server/platform/cell";
import { cellOfId } from "@/server/platform/cell-of";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { inCellThatKnows } from "../cells/moved";
import { type Device, isDeviceOfMember } from "./known-device";
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
export type PasskeyOwner = Pick<OwnedPasskey, "merchantId" | "accessVersion"> & {
  readonly id: string;
  readonly cell: Cell;
};

interface FoundPasskey {
  readonly passkey: OwnedPasskey;
  /** Where it was found. */
  readonly cell: Cell;
  /** The browser's, if the passkey's member signed in there before. */
  readonly knownDevice: Device | null;
}

/**
 * Returns the member whose passkey signed the challenge that this browser received. Returns null for anything else, for a
 * disabled member, and after too many refusals of this address or member. Throws service_unavailable while the passkey's
 * merchant may be moving to another cell.
 */
export async function signInByPasskey(given: PasskeySignIn): Promise<PasskeyOwner | null> {
  const { assertion, binding, address, device = null } = given;
  // The passkey may be looked for in several cells, but the attempt counts once.
  const { beginFrom, succeedFrom } = inSharedCell(passkeyThrottle);
  // Only a device skips the count of its address, which strangers may have used up.
  if (binding === null || (device === null && !(await beginFrom(address)))) return null;
  const found = await findPasskey(assertion, device);
  const isAddressCounted = !found?.knownDevice;
  if (device !== null && isAddressCounted && !(await beginFrom(address))) return null;
  if (!found || found.passkey.disabledAt !== null) return null;
  const owner = await inCell(found.cell, () => signInWith(found, { assertion, binding, address }));
  if (owner && isAddressCounted) await succeedFrom(address);
  return owner;
}

/**
 * Looks in the cell of the member that the authenticator names, whose id has the tag of the cell that made it, and where the
 * member's merchant may have moved. Returns null if no such cell has the passkey.
 */
async function findPasskey(assertion: Assertion, device: Device | null): Promise<FoundPasskey | null> {
  const start = cellOfId(memberIn(assertion) ?? "");
  const look = async (): Promise<FoundPasskey> => {
    const passkey = await findPasskeyAcrossMerchants(assertion.id);
    if (!passkey) throw notFoundError();
    const { merchantId, memberId: id } = passkey;
    const knownDevice = (await isDeviceOfMember(device, { merchantId, id })) ? device : null;
    return { passkey, cell: currentCell(), knownDevice };
  };
  try {
    return await inCellThatKnows(start, isNotFound, look);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

type Signed = Pick<PasskeySignIn, "assertion" | "address"> & { readonly binding: string };

async function signInWith(
  { passkey, cell, knownDevice }: FoundPasskey,
  { assertion, binding, address }: Signed,
): Promise<PasskeyOwner | null> {
  const { merchantId, memberId, accessVersion } = passkey;
  const source: AttemptSource = knownDevice ? { kind: "device", id: knownDevice.id } : { kind: "address", address };
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
    log().info({ memberId, merchantId, address }, "a member signed in with a passkey");
    return { id: memberId, merchantId, accessVersion, cell };
  });
}
