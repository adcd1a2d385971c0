// Values that their text easily spoils, and writers with odd settings, savepoints and failing subtransactions.
import { Client } from "pg";
import { expect, it } from "vitest";
import { holdMover } from "./testing/killed-mover";
import { rowsOf } from "./testing/rows";
import { eu2, main, makePaid, move, sql, threeCells } from "./testing/three-cells";

threeCells();

it("rows arrive as they were, also those that odd sessions write while they are copied", async () => {
  const merchantId = await makePaid();
  const odd = `a\\b"c'd,(e){f}\n\t\u{1f600}\u200d e\u0301 NULL \\N  `;
  const raw = (text: string, ...values: unknown[]) => sql(main(), text.replaceAll("$M", `'${merchantId}'`), ...values);
  await raw("UPDATE merchant SET name = $1 WHERE id = $M", `x${odd}`.slice(0, 40));
  const insert = `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
    VALUES ($M, $1, 'test', 'stuck', 'word_x', $2, $3::jsonb, $4::timestamptz)`;
  const detail = JSON.stringify({ odd, deep: [[null, "", " "]], k: "\u2028" }).replace(
    "null",
    "1e-400, 123456789012345678901234567890.123456789012345678901234567890, null",
  );
  await raw(insert, "exc_01m8fa70bxfk1rxdx99qjxvwz1", "f1", detail, "infinity");
  await raw(insert, "exc_01m8fa70bxfk1rxdx99qjxvwz2", `f2${odd}`, "{}", "0044-03-15 12:00:00.123+00 BC");
  await raw(insert, "exc_01m8fa70bxfk1rxdx99qjxvwz3", "", "{}", "-infinity");
  const mover = holdMover(/count\(\*\)::int AS count FROM api_key/);
  const moving = move(merchantId, eu2());
  await Promise.race([mover.held, moving]);
  const writer = new Client({ connectionString: main().databaseUrl ?? "" });
  await writer.connect();
  await writer.query(
    "SET datestyle = 'SQL, DMY'; SET timezone = 'Asia/Kathmandu'; SET bytea_output = 'escape'; SET intervalstyle = 'sql_standard'; SET extra_float_digits = -3",
  );
  await writer.query("BEGIN");
  await writer.query(`INSERT INTO merchant_currency VALUES ('${merchantId}', 'USD')`);
  await writer.query("SAVEPOINT one");
  await writer.query(`INSERT INTO merchant_currency VALUES ('${merchantId}', 'EUR')`);
  await writer.query(`DELETE FROM merchant_currency WHERE merchant_id = '${merchantId}' AND currency = 'USD'`);
  await writer.query("ROLLBACK TO one");
  await writer.query(`INSERT INTO merchant_currency VALUES ('${merchantId}', 'GBP') ON CONFLICT DO NOTHING`);
  await writer.query("COMMIT");
  await writer
    .query(
      `UPDATE exception SET opened_at = opened_at + interval '1 microsecond' WHERE merchant_id = '${merchantId}' AND fact LIKE 'f2%'`,
    )
    .catch(() => undefined);
  await writer.query(
    `DO $$ BEGIN
       FOR n IN 1..50 LOOP
         BEGIN
           INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
           VALUES ('${merchantId}', 'exc_01m8fa70bxfk1rxdx99qjxv' || lpad(n::text, 3, '0'), 'test', 'stuck', 'word_y', 'g' || n, '{}', now());
           IF n % 3 = 0 THEN RAISE EXCEPTION 'undone'; END IF;
         EXCEPTION WHEN raise_exception THEN NULL;
         END;
       END LOOP;
     END $$`,
  );
  await writer.end();
  const before = await rowsOf(main(), merchantId);
  mover.goOn();
  expect(await moving).toMatchObject({ phase: "done" });
  mover.restore();
  const { audit_entry: _entry, audit_pending: _pending, audit_link: _link, audit_chain: _chain, ...rows } = before;
  const after = await rowsOf(eu2(), merchantId);
  expect(after).toMatchObject(rows);
  expect(after["merchant_currency"]).toHaveLength(3);
  expect(after["exception"]).toHaveLength(3 + 34);
  expect(await rowsOf(main(), merchantId)).toEqual({});
});
