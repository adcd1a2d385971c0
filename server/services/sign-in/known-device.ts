// Browsers in which a member signed in before. Strangers cannot use up their attempts.
import { randomUUID } from "node:crypto";
import { findCredentials, type MemberCredentials } from "@/server/db/member-credentials";
import { hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { withinMerchant } from "@/server/platform/reach";

/** What the browser's device cookie contains, encrypted. */
export interface Device {
  readonly id: string;
  readonly memberId: string;
  /** Stands for the password used: a password change forgets all devices, those of a former user included. */
  readonly passwordTag: string;
}

interface DeviceOwner {
  readonly merchantId: string;
  readonly id: string;
}

const TAG_LENGTH = 32;

/** Returns true if the member signed in on the device with the present password. */
export function isDeviceOf(device: Device | null, { id, passwordHash }: MemberCredentials): boolean {
  if (device?.memberId !== id || passwordHash === null) return false;
  return keyRing()
    .all("known-device")
    .some(({ key }) => tagOf(key, passwordHash) === device.passwordTag);
}

/** The same for a member whose password was not read yet. */
export async function isDeviceOfMember(device: Device | null, owner: DeviceOwner): Promise<boolean> {
  if (device?.memberId !== owner.id) return false;
  const member = await credentialsOf(owner);
  return member !== null && isDeviceOf(device, member);
}

/**
 * Returns the device cookie's new content after a sign-in; a device that was known keeps its id and thus its count. Returns
 * null for a member without a password.
 */
export async function rememberDevice(owner: DeviceOwner, known: Device | null): Promise<Device | null> {
  const member = await credentialsOf(owner);
  if (!member || member.passwordHash === null) return null;
  const id = known && isDeviceOf(known, member) ? known.id : randomUUID();
  return { id, memberId: owner.id, passwordTag: tagOf(keyRing().current("known-device").key, member.passwordHash) };
}

/** Within the merchant's reach, which also sees one that closes to move. */
const credentialsOf = ({ merchantId, id }: DeviceOwner): Promise<MemberCredentials | null> =>
  withinMerchant(merchantId, () => findCredentials(merchantId, id));

function tagOf(key: Buffer, passwordHash: string): string {
  return hmacHex(key, passwordHash).slice(0, TAG_LENGTH);
}
