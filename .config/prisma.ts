// Prisma's command line, used only for `prisma generate` and, by operators who prefer it, `prisma migrate deploy`.
import { defineConfig } from "prisma/config";

// `generate` needs no schema engine, yet the command line insists on finding one and would download it; any existing
// executable satisfies the check. Our own migrations run without it (server/db/migrate.ts).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: "../prisma/schema.prisma",
  migrations: { path: "../prisma/migrations" },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
