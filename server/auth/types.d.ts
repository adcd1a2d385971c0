// The fields that our sessions add to next-auth's types.
import "next-auth";
import "next-auth/jwt";

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
  }
}
