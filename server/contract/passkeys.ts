// What a browser returns from an authenticator (WebAuthn level 3, in JSON).
import { z } from "zod";

/** Base64url. The longest part is an attestation. */
const part = z
  .string()
  .max(8_192)
  .regex(/^[A-Za-z0-9_-]+$/);

const credential = { id: part, rawId: part, type: z.literal("public-key") };

/** The signature of a challenge by a passkey. */
export const passkeyAssertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: part,
      authenticatorData: part,
      signature: part,
      userHandle: part.nullish(),
    }),
  })
  .transform(({ response: { userHandle, ...signed }, ...given }) => ({
    ...given,
    clientExtensionResults: {},
    response: { ...signed, ...(typeof userHandle === "string" && { userHandle }) },
  }));

/** A new passkey. */
export const passkeyRegistration = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: part,
      attestationObject: part,
      transports: z.array(z.string().max(32)).max(10).optional(),
    }),
  })
  .transform(({ response: { transports = [], ...created }, ...given }) => ({
    ...given,
    clientExtensionResults: {},
    response: created,
    transports,
  }));
