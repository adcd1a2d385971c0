import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { playVariedRun } from "@/server/services/invariants/testing/varied-run";
import { requireInvariants } from "@/server/testing/invariants";
import { disconnect, query } from "./client";
import { migrate } from "./migrate";

const ROLE = "sluice_app";
const HISTORY = ["ledger_transaction", "ledger_entry", "event", "approval", "audit_entry", "audit_link"];

let owner: Client;

beforeAll(async () => {
  owner = new Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
  await owner.query(await readFile(new URL("../../prisma/app-role.sql", import.meta.url), "utf8"));
  const password = randomBytes(16).toString("hex");
  await owner.query(`ALTER ROLE ${ROLE} LOGIN PASSWORD '${password}'`);
  const address = new URL(process.env.DATABASE_URL ?? "");
  address.username = ROLE;
  address.password = password;
  process.env.DATABASE_URL = address.href;
});

afterAll(async () => {
  await disconnect();
  await owner.query(`ALTER ROLE ${ROLE} NOLOGIN`);
  await owner.end();
});

it("starts on a database that lacks no migration", async () => {
  expect(await migrate(process.env.DATABASE_URL ?? "")).toEqual({ applied: [] });
});

it("does everything a varied run does, and every invariant holds", async () => {
  await playVariedRun();
  expect(await query("SELECT current_user::text AS role")).toEqual([{ role: ROLE }]);
  await requireInvariants();
});

it.each(HISTORY)("cannot change or remove what is in %s", async (table) => {
  const { rows } = await owner.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  expect(rows[0]?.count).toBeGreaterThan(0);
  const denied = { message: expect.stringContaining("permission denied") };
  await expect(query(`UPDATE ${table} SET merchant_id = merchant_id`)).rejects.toMatchObject(denied);
  await expect(query(`DELETE FROM ${table}`)).rejects.toMatchObject(denied);
  await expect(query(`TRUNCATE ${table}`)).rejects.toMatchObject(denied);
  await expect(query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)).rejects.toMatchObject({
    message: expect.stringContaining("must be owner"),
  });
});
