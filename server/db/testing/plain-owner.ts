// Two cells whose tables belong to a plain role, as the service's user may be: no superuser, with the grants of docs/operating.md.
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { Cell } from "@/server/platform/cell";
import { allCells } from "@/server/platform/cell";
import { disconnect } from "../client";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "./second-cell";

const GIVE = (role: string) => `
  DO $$
  DECLARE
    one record;
  BEGIN
    FOR one IN SELECT oid::regclass AS name FROM pg_class
               WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') LOOP
      EXECUTE format('ALTER TABLE %s OWNER TO ${role}', one.name);
    END LOOP;
    FOR one IN SELECT p.oid::regprocedure AS name FROM pg_proc p
               WHERE p.pronamespace = 'public'::regnamespace
                 AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') LOOP
      EXECUTE format('ALTER ROUTINE %s OWNER TO ${role}', one.name);
    END LOOP;
    ALTER SCHEMA public OWNER TO ${role};
  END
  $$`;

async function asSuperuser(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function addressFor(url: string, role: string): string {
  const address = new URL(url);
  address.username = role;
  address.password = role;
  return address.href;
}

/** Two cells of which the superuser has nothing; `asSuperuser` runs statements that no owner may. */
export interface PlainCells extends TwoCells {
  asSuperuser(cell: Cell, sql: string): Promise<void>;
}

/** Opens two cells, and gives both to a new role. */
export async function openPlainCells(): Promise<PlainCells> {
  const cells = await openTwoCells();
  const role = `owner_${randomBytes(4).toString("hex")}`;
  const given = process.env.DATABASE_URL ?? "";
  const urls = [given, cells.second.databaseUrl ?? ""];
  await disconnect();
  await asSuperuser(
    given,
    `CREATE ROLE ${role} LOGIN PASSWORD '${role}' NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
     GRANT sluice_app, pg_read_all_stats TO ${role}; GRANT SET ON PARAMETER session_replication_role TO ${role}`,
  );
  for (const url of urls) await asSuperuser(url, GIVE(role));
  const [own = "", url = ""] = urls.map((one) => addressFor(one, role));
  process.env.DATABASE_URL = own;
  configureCells([{ ...SECOND_CELL, url }]);
  const [first, second] = allCells();
  if (!second) throw new Error("the second cell is not configured");
  return {
    first,
    second,
    asSuperuser: (cell, sql) => asSuperuser(urls[cell.tag === "" ? 0 : 1] ?? "", sql),
    async end() {
      process.env.DATABASE_URL = given;
      await disconnect();
      await cells.end();
      // What the file's own database still has goes with it.
      await asSuperuser(given, `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    },
  };
}
