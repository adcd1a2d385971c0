// The rules about access: one file reads the environment, one module writes intents, and Postgres is reached in two ways.
import { codeOf } from "./syntax";
import { isCode, isTestOnly, type Rule } from "./tree";

const READS_ENVIRONMENT = /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/;
const IMPORTS_ENVIRONMENT = /import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["'](node:)?process["']/;

/** Reads of process.env outside server/platform/env.ts. Allowed in tests, e2e, bench and the tools' own settings. */
export const environmentReads: Rule = (files) =>
  files
    .filter(({ path }) => isCode(path) && /^(server|app|components)\//.test(path) && !isTestOnly(path))
    .filter(({ path }) => path !== "server/platform/env.ts")
    .filter((file) => {
      const code = codeOf(file);
      return READS_ENVIRONMENT.test(code) || IMPORTS_ENVIRONMENT.test(code);
    })
    .map(({ path }) => `${path} reads process.env`);

const TABLE = String.raw`(?:"?(?:payment|payout|topup)_intent"?|\$\{[^}]*\})`;
const UPDATES = new RegExp(
  String.raw`\bUPDATE\s+(?:ONLY\s+)?${TABLE}(?<assignments>[\s\S]*?)(?:\bWHERE\b|\bRETURNING\b|;|${"`"}(?![^$]*\})|$)`,
  "gi",
);
const INSERTS = /\bINSERT\s+INTO\s+"?(payment|payout|topup)_intent\b/i;
const PRISMA_WRITES = /\.(payment|payout|topup)Intent\s*\.\s*(create|createMany\w*|update|updateMany\w*|upsert)\b/;
/** Matches the status by name, or a computed list of columns, which may contain it. */
const WRITES_STATUS = /\bstatus\s*=(?!=)|\bSET\s+\$\{/i;

function writesStatus(code: string): boolean {
  if (INSERTS.test(code) || PRISMA_WRITES.test(code)) return true;
  return [...code.matchAll(UPDATES)].some((update) => WRITES_STATUS.test(update.groups?.assignments ?? ""));
}

/** SQL that creates intents or writes their status, outside the module that commits transitions. */
export const statusWrites: Rule = (files) =>
  files
    .filter(({ path }) => isCode(path) && /^(server|app|components|bench)\//.test(path) && !isTestOnly(path))
    // The bench's Prisma peer writes tables of its own.
    .filter(({ path }) => !path.startsWith("bench/typical/"))
    .filter(({ path }) => !path.startsWith("server/db/commit/") && path !== "server/db/commit.ts")
    .filter((file) => writesStatus(codeOf(file)))
    .map(({ path }) => `${path} writes an intent`);

const SQL_THROUGH_PRISMA = /\$(?:queryRaw|executeRaw|transaction)\w*\s*[(<`]/;

/** Raw SQL and transactions through Prisma: SQL goes through `query` and `inTransaction` of server/db/client.ts. */
export const sqlThroughPrisma: Rule = (files) =>
  files
    .filter(
      ({ path }) => isCode(path) && /^(server|app|components)\//.test(path) && !path.includes("/testing/architecture/"),
    )
    .filter(({ path }) => path !== "server/architecture.test.ts")
    .filter((file) => SQL_THROUGH_PRISMA.test(codeOf(file)))
    .map(({ path }) => `${path} runs SQL or a transaction through Prisma`);
