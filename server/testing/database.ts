// The setup of every *.db.test.ts file: a migrated database of its own, named in the environment before its imports.
import { randomBytes } from "node:crypto";
import { afterAll, inject } from "vitest";
import { reachEveryMerchant } from "@/server/platform/reach";
import { addressOf, createDatabase, dropDatabase, nameOf } from "./databases";

const template = inject("databaseTemplate");
const server = addressOf(template, "postgres");
const database = await createDatabase(server, `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template));

process.env.DATABASE_URL = database;
process.env.SLUICE_SECRETS = randomBytes(32).toString("base64");
process.env.LOG_LEVEL ??= "fatal";
// Tests call services for many merchants; a test of the wall itself names the merchant of its work.
reachEveryMerchant();

// Registered before the file's own hooks, so it runs after them.
afterAll(() => dropDatabase(server, database));
