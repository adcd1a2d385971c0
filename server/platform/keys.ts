import { env } from "./env";
import { createKeyRing, type KeyRing } from "./key-ring";

const shared = globalThis as typeof globalThis & { sluiceKeyRing?: KeyRing };

/** The ring of every purpose key. */
export function keyRing(): KeyRing {
  shared.sluiceKeyRing ??= createKeyRing(env().secrets);
  return shared.sluiceKeyRing;
}
