// The last step of single sign-on, where one is needed: the person chooses a merchant, or gives the password of a member who
// is not connected yet. Meanwhile the browser keeps what the provider said in an encrypted cookie.
import Credentials from "next-auth/providers/credentials";
import { z } from "zod";
import { forwardedAddress } from "@/server/http/client-address";
import { signIn } from "@/server/services/sign-in/sign-in";
import {
  membershipsOf,
  type ProvenIdentity,
  signInByIdentity,
  takesPassword,
} from "@/server/services/sign-in/sign-in-by-identity";
import { readCookie, setCookie } from "./cookies";
import { readDevice } from "./device-cookie";
import { openToken, sealToken, sessionSecret } from "./session-token";
import { signInError } from "./sign-in-error";
import { methodOf } from "./single-sign-on";
import { enter, type Visit } from "./visit";

const SALT = "choice";
/** How long a person may take to choose. */
const LIFETIME_SECONDS = 300;

/** Returns the Set-Cookie header of a person who must choose. */
export async function choiceCookie(identity: ProvenIdentity): Promise<string> {
  const { authenticatedAt, ...others } = identity;
  const token = { identity: { ...others, authenticatedAt: authenticatedAt?.toISOString() ?? null } };
  const value = await sealToken({ token, salt: SALT, maxAge: LIFETIME_SECONDS, secret: sessionSecret() });
  // The page that reads it is reached by a navigation from another site, the provider's.
  return setCookie("choice", value, { maxAgeSeconds: LIFETIME_SECONDS, sameSite: "Lax" });
}

/** Returns who is choosing. Returns null without a cookie, and for a forged or expired one. */
async function readChoice(headers: Headers): Promise<ProvenIdentity | null> {
  const sealed = readCookie(headers.get("cookie"), "choice");
  const identity = sealed === null ? null : (await openToken({ token: sealed, salt: SALT }))?.identity;
  if (!identity) return null;
  return {
    ...identity,
    authenticatedAt: identity.authenticatedAt === null ? null : new Date(identity.authenticatedAt),
  };
}

/** One merchant that a person may enter. */
interface EnterableMerchant {
  readonly id: string;
  readonly name: string;
  /** False if entering it connects the member there with the provider. */
  readonly isConnected: boolean;
  /** True if that takes the member's password. */
  readonly takesPassword: boolean;
}

interface Choice {
  readonly merchants: readonly EnterableMerchant[];
  /** True if some merchants cannot be reached now, which may belong to it. */
  readonly isPartial: boolean;
}

/** The merchants between which the visitor may choose; null without a person who is choosing. */
export async function enterableMerchants(headers: Headers): Promise<Choice | null> {
  const identity = await readChoice(headers);
  if (!identity) return null;
  const { found, isPartial } = await membershipsOf(identity);
  const merchants = found.map((membership) => ({
    id: membership.merchantId,
    name: membership.merchantName,
    isConnected: membership.isLinked,
    takesPassword: takesPassword(membership),
  }));
  return { merchants, isPartial };
}

/** The password is empty unless it was asked for, as the code is. */
const choiceSchema = z.object({
  merchantId: z.string(),
  password: z.string().default(""),
  code: z.string().default(""),
});

/** Signs in to the chosen merchant, with the member's password where that connects them. */
export function merchantChoiceProvider(visit: Visit) {
  return Credentials({
    id: "merchant",
    credentials: { merchantId: { type: "text" }, password: { type: "password" }, code: { type: "text" } },
    async authorize(given) {
      const identity = await readChoice(visit.headers);
      const choice = choiceSchema.safeParse(given).data;
      if (!identity || !choice) return null;
      const entered = await begin(visit, identity, choice).catch((error: unknown) => {
        throw signInError(error, choice.code);
      });
      // A thrown message ends up in a URL, so it is only one of the codes.
      if (typeof entered === "string") throw new Error(entered);
      visit.spentCookies.add("choice");
      return entered;
    },
  });
}

async function begin(
  visit: Visit,
  identity: ProvenIdentity,
  { merchantId, password, code }: z.infer<typeof choiceSchema>,
) {
  const { headers } = visit;
  const address = forwardedAddress(headers);
  const { email } = identity;
  const attempt = { merchantId, email: email ?? "", password, code, address, device: await readDevice(headers) };
  const proven = password === "" ? null : await signIn(attempt);
  if (password !== "" && proven === null) return "PasswordRefused";
  const own = { chosenMerchantId: merchantId, provenMemberId: proven?.id };
  const member = await signInByIdentity(identity, address, own);
  return typeof member === "string" ? member : enter(visit, member, methodOf(identity));
}
