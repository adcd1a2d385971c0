import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/server/db/generated/client";

const shared = globalThis as typeof globalThis & { typicalPrisma?: PrismaClient };

shared.typicalPrisma ??= new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.PEER_DATABASE_URL ?? "", max: 10 }, { schema: "peer" }),
});

export const prisma = shared.typicalPrisma;

/** The merchant whose payments are read and listed. */
export const readerId = process.env.PEER_READER_ID ?? "";

/** True for the one known key. */
export function isAuthorized(request: Request): boolean {
  return request.headers.get("authorization") === process.env.PEER_AUTHORIZATION;
}
