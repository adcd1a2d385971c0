// Owns what a *.db.test.ts file finds: a migrated database nobody else uses, named in the environment before its imports.
import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { addressOf, createDatabase, dropDatabase, nameOf } from "./databases";

const template = inject("databaseTemplate");
const server = addressOf(template, "postgres");
const database = await createDatabase(server, `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template));

process.env.DATABASE_URL = database;
process.env.SLUICE_SECRETS = randomBytes(32).toString("base64");
process.env.LOG_LEVEL ??= "fatal";

// Registered before any hook of the file itself, so it runs after them.
afterAll(() => dropDatabase(server, database));
