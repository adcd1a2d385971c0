import { env } from "./env";
import { createKeyRing, type KeyRing } from "./key-ring";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing };

/** Returns the process's key ring. */
export function keyRing(): KeyRing {
  shared.sluiceKeyRing ??= createKeyRing(env().secrets, env().recordSecrets);
  return shared.sluiceKeyRing;
}
