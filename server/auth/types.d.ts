// Owns what our sessions carry beyond what next-auth declares.
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
    /** The row of the session. */
    sid?: string;
  }
}
