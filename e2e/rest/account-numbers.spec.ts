// Account numbers and secret keys are never in plain text: in no answer, log, row, file or error.
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { logFile } from "../support/service";
import { payoutBody, RECIPIENT, unused } from "./bodies";
import { bodyOf, untilStatus } from "./calls";
import { type Database, openDatabaseOf } from "./database";
import { expect, test } from "./parties";

/** Digits that nothing else contains; the last four may be shown. */
const CANARY = "73319582640915528846";
const SECRET_PART = CANARY.slice(0, -4);

async function columnsThatHold(database: Database, text: string): Promise<string[]> {
  const columns = await database.query<{ name: string; sql: string }>(
    `SELECT table_name || '.' || column_name AS name,
            format('SELECT FROM %I.%I WHERE %I::text LIKE ''%%'' || $1 || ''%%'' LIMIT 1', table_schema, table_name, column_name) AS sql
     FROM information_schema.columns WHERE table_schema = 'public'
       AND data_type IN ('text', 'jsonb', 'json', 'ARRAY', 'character varying', 'bytea')`,
  );
  expect(columns.length).toBeGreaterThan(80);
  const hits: string[] = [];
  for (const { name, sql } of columns) if ((await database.query(sql, text)).length > 0) hits.push(name);
  return hits;
}

async function fileHolds(path: string, texts: readonly string[]): Promise<boolean> {
  let tail = "";
  for await (const chunk of createReadStream(path, { encoding: "latin1", highWaterMark: 1 << 20 })) {
    const text = tail + String(chunk);
    if (texts.some((one) => text.includes(one))) return true;
    tail = text.slice(-64);
  }
  return false;
}

async function filesThatHold(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hits: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    // The database renames and removes its own files while it runs.
    if (await fileHolds(path, texts).catch(() => false)) hits.push(path);
  }
  return hits;
}

test("a payout's whole life leaves neither its account number nor a secret key in plain text", async ({
  api,
  approve,
  ownMerchant,
  service,
  withAuthorization,
}) => {
  test.slow();
  const recipient = { ...RECIPIENT, account_number: CANARY };
  const body = payoutBody({ recipient });
  const options = { headers: { "idempotency-key": unused("canary") } };
  const created = await api.post("/payout_intents", body, options);
  const { id } = bodyOf<{ id: string }>(created, 201);
  const answers = [
    created,
    await api.post("/payout_intents", body, options),
    await api.post("/payout_intents", body),
    await api.post("/payout_intents", { ...body, recipient: { ...recipient, account_number: `9${CANARY}` } }),
    await api.post("/payout_intents", payoutBody({ recipient, amount: "999999999999999" })),
    await api.post("/payout_intents", payoutBody({ recipient, amount: "-5" })),
    await api.post("/payout_intents", payoutBody({ recipient: { ...recipient, account_number: `${CANARY}!` } })),
    await api.post("/payout_intents", payoutBody({ recipient, currency: "USD" })),
    await withAuthorization("Basic eDp5").post("/payout_intents", body),
    await api.get(`/payout_intents/${id}`),
    await api.get("/payout_intents?limit=5"),
    await api.get("/payout_intents?limit=0"),
  ];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 400, 401, 409, 422]));
  for (const { text } of answers) expect(text).not.toContain(SECRET_PART);
  await approve(id);
  await untilStatus(api, id, ["succeeded"]);
  expect((await api.get(`/payout_intents/${id}`)).text).toContain(`"account_last4":"${CANARY.slice(-4)}"`);

  const database = await openDatabaseOf(service);
  const { secretKey } = ownMerchant.keys.test;
  expect(await columnsThatHold(database, "Ana Souza"), "the search finds what is there").toContain(
    "payout_intent.recipient_holder_name",
  );
  expect(await columnsThatHold(database, SECRET_PART)).toEqual([]);
  expect(await columnsThatHold(database, secretKey)).toEqual([]);
  await database.query("CHECKPOINT");
  const [place] = await database.query<{ data_directory: string }>("SHOW data_directory");
  await database.close();

  expect(await fileHolds(logFile(service.dataDir), [SECRET_PART, secretKey])).toBe(false);
  expect(await fileHolds(logFile(service.dataDir), [id]), "the log tells of the payout").toBe(true);
  const folders = [service.dataDir, place?.data_directory ?? service.dataDir];
  for (const folder of folders) expect(await filesThatHold(folder, [SECRET_PART, secretKey]), folder).toEqual([]);
});
