// Owns making and removing whole databases on the server of a test run.
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

/** The same server's address for another of its databases. */
export function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

/** The database an address names. */
export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** Makes a copy of `template` on the server of `url` and gives its address. Nobody may be connected to the template. */
export async function createDatabase(url: string, database: string, template: string): Promise<string> {
  await run(url, `CREATE DATABASE "${database}" TEMPLATE "${template}"`);
  return addressOf(url, database);
}

/** Removes the database of address `doomed`, whoever is connected to it, through the one of `url`. */
export async function dropDatabase(url: string, doomed: string): Promise<void> {
  await run(url, `DROP DATABASE IF EXISTS "${nameOf(doomed)}" WITH (FORCE)`);
}
