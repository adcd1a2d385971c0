// Reading a list by cursor (interface §4.4): nothing missed, nothing twice, nothing foreign.
import { sizeOf } from "../support/tier";
import { unused } from "./bodies";
import { bodyOf, createPayment, createPayout, refusalOf } from "./calls";
import type { Page } from "./list-rules";
import { expect, test } from "./parties";

const ROWS = sizeOf({ representative: 2_500, deep: 10_000 });
const LIMIT = 7;

// The ids follow from the name of the batch, so that both hosts return the same rows in the same order.
const INSERT = `
  INSERT INTO payment_intent (merchant_id, id, environment, status, revision, amount, currency, country,
    merchant_reference, payment_method, provider, next_action_type, failure_code, expires_at, created_at, updated_at)
  SELECT $1, 'dord_' || translate(md5($2 || n), 'abcdef', 'ghjkmn'), 'test', 'expired', 1, 1000 + n, 'BRL', 'BR',
    $2 || '-' || n, 'BR_PIX', 'sandbox', 'display_qr_code', 'expired', $3, $3, $3
  FROM generate_series(1, $4::int) n RETURNING id`;

test("thousands of rows of one millisecond, read seven at a time during inserts, are returned once each", async ({
  api,
  ownMerchant,
  database,
}) => {
  test.slow();
  const at = new Date(Date.now() - 60_000);
  const insert = (batch: string, count: number) =>
    database.query<{ id: string }>(INSERT, ownMerchant.id, batch, at, count).then((rows) => rows.map(({ id }) => id));
  const start = await insert("start", ROWS);
  expect(new Set(start).size).toBe(ROWS);

  const seen: string[] = [];
  let inserted = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = bodyOf<Page>(await api.get(`/payment_intents?limit=${LIMIT}${more}`), 200);
    expect(page.data.length).toBe(page.has_more ? LIMIT : page.data.length);
    expect(page.has_more).toBe(page.next_cursor !== null);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    // Rows of the same millisecond, before and after the cursor's position, and newer ones.
    if (seen.length % (LIMIT * 15) === 0) inserted += (await insert(`more-${seen.length}`, 20)).length;
    if (seen.length % (LIMIT * 200) === 0) await createPayment(api);
  }
  expect(inserted).toBeGreaterThan(300);
  expect(new Set(seen).size, "no row comes twice").toBe(seen.length);
  const found = new Set(seen);
  expect(start.filter((id) => !found.has(id))).toEqual([]);
});

test.describe("cursors", () => {
  test("filters are sent again with every page; changed filters never fail", async ({ api }) => {
    for (let n = 0; n < 4; n += 1) await createPayment(api, { payment_method: n % 2 ? "BR_PIX" : "BR_BOLETO" });
    const path = "/payment_intents?limit=1";
    const first = bodyOf<Page>(await api.get(`${path}&payment_method=BR_PIX`), 200);
    const cursor = encodeURIComponent(first.next_cursor ?? "");
    const same = bodyOf<Page>(await api.get(`${path}&payment_method=BR_PIX&cursor=${cursor}`), 200);
    expect(same).toMatchObject({ data: [{ payment_method: "BR_PIX" }], has_more: false });
    const other = bodyOf<Page>(await api.get(`${path}&payment_method=BR_BOLETO&cursor=${cursor}`), 200);
    expect(other).toMatchObject({ data: [{ payment_method: "BR_BOLETO" }], has_more: true });
    const none = bodyOf<Page>(await api.get(`/payment_intents?limit=100&status=failed&cursor=${cursor}`), 200);
    expect(none).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  test("a cursor of another merchant, environment or list is rejected", async ({ api, liveApi, strangerApi }) => {
    for (let n = 0; n < 2; n += 1) {
      await createPayment(api, { merchant_reference: unused("cursor") });
      await createPayout(api);
    }
    const { next_cursor } = bodyOf<Page>(await api.get("/payment_intents?limit=1"), 200);
    const query = `limit=1&cursor=${encodeURIComponent(next_cursor ?? "")}`;
    expect((await api.get(`/payment_intents?${query}`)).status).toBe(200);
    for (const answer of [
      await strangerApi.get(`/payment_intents?${query}`),
      await liveApi.get(`/payment_intents?${query}`),
      await api.get(`/payout_intents?${query}`),
      await api.get(`/topup_intents?${query}`),
    ]) {
      expect(refusalOf(answer, 400)).toEqual({
        code: "validation_failed",
        message: "cursor is not a cursor of this list",
      });
    }
  });

  test("an altered cursor is rejected, whatever was altered", async ({ api }) => {
    for (let n = 0; n < 2; n += 1) await createPayment(api);
    const { next_cursor } = bodyOf<Page>(await api.get("/payment_intents?limit=1"), 200);
    const cursor = next_cursor ?? "";
    const text = Buffer.from(cursor, "base64url").toString();
    const digit = text.replace(/^\d/, (first) => String((Number(first) + 1) % 10));
    const altered = [
      ...Array.from({ length: 20 }, (_, n) => Math.floor((cursor.length * n) / 20)).map(
        (at) => cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1),
      ),
      `${cursor}=`,
      ` ${cursor}`,
      cursor.slice(0, -1),
      cursor + cursor,
      Buffer.from(digit).toString("base64url"),
    ].filter((one) => one !== cursor);
    for (const one of altered) {
      const answer = await api.get(`/payment_intents?limit=1&cursor=${encodeURIComponent(one)}`);
      expect(refusalOf(answer, 400).code, one).toBe("validation_failed");
    }
  });
});
