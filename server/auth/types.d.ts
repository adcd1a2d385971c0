// The fields that our sessions add to next-auth's types.
import "next-auth";
import "next-auth/jwt";
import type { ProvenIdentity } from "@/server/services/sign-in/sign-in-by-identity";

declare module "next-auth" {
  interface User {
    merchantId: string;
    sessionId: string;
  }
  interface Session {
    memberId: string;
    merchantId: string;
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    merchantId?: string;
    /** The id of the session row. */
    sid?: string;
    /** Of a device cookie's token only. */
    deviceId?: string;
    passwordTag?: string;
    /** Of the token of a person who must choose a merchant only: what the OpenID provider said. */
    identity?: Omit<ProvenIdentity, "authenticatedAt"> & { readonly authenticatedAt: string | null };
  }
}
