// Statements of the database's owner, for tests of what happens after somebody changed what the service's role may not.
import { Client, type QueryResultRow } from "pg";
import { env } from "@/server/platform/env";

async function asOwner<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: env().databaseUrl ?? "" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs one statement with values, or a script without, as the owner of the tables. */
export function queryAsOwner<Row extends QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row[]> {
  return asOwner(async (client) => (await client.query<Row>(sql, values.length > 0 ? values : undefined)).rows);
}

/** Changes rows of a table while its triggers are off. */
export function tamper(table: string, change: string, ...values: unknown[]): Promise<void> {
  return asOwner(async (client) => {
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    try {
      await client.query(change, values);
    } finally {
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    }
  });
}
