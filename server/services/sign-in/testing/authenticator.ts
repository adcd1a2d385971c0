// An authenticator in software, after WebAuthn level 3: creates credentials and signs challenges, also wrongly.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What an answer says; a test changes a part of it. */
interface Behavior {
  readonly origin: string;
  readonly rpId: string;
  readonly isVerified: boolean;
  /** The signature counter that the answer carries. */
  readonly counter: number;
  readonly type?: string;
}

const HONEST: Behavior = { origin: "http://localhost:3000", rpId: "localhost", isVerified: true, counter: 0 };

export interface SoftwareAuthenticator {
  create(challenge: string, behavior?: Partial<Behavior>): RegistrationResponseJSON;
  sign(challenge: string, behavior?: Partial<Behavior>, userHandle?: string): AuthenticationResponseJSON;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** The public key as authenticators give it (COSE, ES256). */
function coseKey(key: KeyObject): Uint8Array {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const entries = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, "base64url"))],
    [-3, new Uint8Array(Buffer.from(y, "base64url"))],
  ]);
  return isoCBOR.encode(entries);
}

function authenticatorData({ rpId, isVerified, counter }: Behavior, credential?: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0));
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), head, ...(credential ? [credential] : [])]);
}

/** Returns an authenticator with one credential. */
export function createAuthenticator(): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32);
  const named = { id: base64url(credentialId), rawId: base64url(credentialId), type: "public-key" } as const;
  return {
    create(challenge, changes = {}) {
      const behavior = { ...HONEST, ...changes };
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authenticatorData(behavior, credential))],
      ]);
      return {
        ...named,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData(behavior.type ?? "webauthn.create", challenge, behavior.origin)),
          attestationObject: base64url(isoCBOR.encode(attestation as never)),
        },
      };
    },
    sign(challenge, changes = {}, userHandle) {
      const behavior = { ...HONEST, ...changes };
      const client = clientData(behavior.type ?? "webauthn.get", challenge, behavior.origin);
      const data = authenticatorData(behavior);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...named,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(userHandle !== undefined && { userHandle: base64url(Buffer.from(userHandle)) }),
        },
      };
    },
  };
}
