// Two cells whose tables belong to roles that are no superusers, with the grants that docs/operating.md names and no others.
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { allCells, type Cell } from "@/server/platform/cell";
import { disconnect } from "../client";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "./second-cell";

/** What the owner of a cell's tables needs for a move, as docs/operating.md has it. */
export const OWNER_GRANTS = ["SET ON PARAMETER session_replication_role", "pg_read_all_stats"] as const;

export interface PlainCells extends TwoCells {
  /** The owners of the first and the second cell's tables. */
  readonly owners: readonly [string, string];
  /** Runs statements that no owner may in a cell's database, by default the first one's. */
  asSuperuser(sql: string, cell?: Cell): Promise<void>;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Gives everything in a database to a role. */
const giveTo = (owner: string): string => `
  DO $$
  DECLARE
    given record;
  BEGIN
    EXECUTE format('ALTER DATABASE %I OWNER TO ${owner}', current_database());
    ALTER SCHEMA public OWNER TO ${owner};
    FOR given IN
      SELECT format('ALTER TABLE public.%I OWNER TO ${owner}', relname) AS act FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO ${owner}', oid::regprocedure) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT format('ALTER TYPE public.%I OWNER TO ${owner}', typname) FROM pg_type
      WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
    LOOP
      EXECUTE given.act;
    END LOOP;
  END
  $$`;

function asUser(url: string, role: string): string {
  const address = new URL(url);
  address.username = role;
  address.password = role;
  return address.href;
}

/** Opens two cells as openTwoCells does, whose tables then belong to a role each. */
export async function openPlainCells(): Promise<PlainCells> {
  const { second: other, end } = await openTwoCells();
  const urls = [process.env.DATABASE_URL ?? "", other.databaseUrl ?? ""] as const;
  const owners = ["first", "second"].map((cell) => `${cell}_owner_${randomBytes(4).toString("hex")}`);
  await disconnect();
  for (const [at, owner] of owners.entries()) {
    const url = urls[at] ?? "";
    await run(url, `CREATE ROLE ${owner} LOGIN PASSWORD '${owner}' NOSUPERUSER NOCREATEROLE NOBYPASSRLS`);
    await run(url, `GRANT sluice_app TO ${owner}`);
    await run(url, OWNER_GRANTS.map((grant) => `GRANT ${grant} TO ${owner}`).join(";"));
    await run(url, giveTo(owner));
  }
  const [ours = "", theirs = ""] = owners;
  process.env.DATABASE_URL = asUser(urls[0], ours);
  configureCells([{ ...SECOND_CELL, url: asUser(urls[1], theirs) }]);
  const [first, second] = allCells();
  if (!second) throw new Error("the second cell is not configured");
  return {
    first,
    second,
    owners: [ours, theirs],
    asSuperuser: (sql, cell = first) => run(urls[cell === second ? 1 : 0], sql),
    async end() {
      process.env.DATABASE_URL = urls[0];
      await end();
      await run(urls[0], giveTo("CURRENT_USER"));
      for (const owner of owners) await run(urls[0], `DROP OWNED BY ${owner}; DROP ROLE ${owner}`);
    },
  };
}
