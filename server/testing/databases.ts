// Creates and drops databases on the server of a test run.
import { Client } from "pg";

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The address of another database on the same server. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** The name of the database in an address. */
export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/**
 * Copies `template` on the server of `url` and returns the copy's address. Nothing may be connected to the template.
 */
export async function createDatabase(url: string, database: string, template: string): Promise<string> {
  await run(url, `CREATE DATABASE "${database}" TEMPLATE "${template}"`);
  return addressOf(url, database);
}

/** Drops the database at the address `doomed`, despite open connections, over a connection to `url`. */
export async function dropDatabase(url: string, doomed: string): Promise<void> {
  await run(url, `DROP DATABASE IF EXISTS "${nameOf(doomed)}" WITH (FORCE)`);
}
