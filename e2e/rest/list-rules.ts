// The rules of all three lists (interface §2.5, §4.4): order, filters, limits, cursors, isolation.
import type { Answer, Api } from "../support/api";
import { unused } from "./bodies";
import { type AnyIntent, bodyOf, refusalOf } from "./calls";
import { expect, test } from "./parties";

export interface Page {
  readonly data: readonly AnyIntent[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** How to query a list, and how to create one of its intents. */
export interface ListSubject {
  readonly path: string;
  /** Creates an intent of about 10.50 in BRL for BR with this reference. */
  create(api: Api, merchantReference: string): Promise<{ readonly id: string }>;
  readonly statuses: readonly string[];
}

export const idsOf = (answer: Answer) => bodyOf<Page>(answer, 200).data.map(({ id }) => id);

/** Declares the groups that hold for every list. */
export function describeListRules({ path, create, statuses }: ListSubject): void {
  const list = (api: Api, query: string) => api.get(`${path}?${query}`);

  test.describe("200: order and pages", () => {
    test("newest first, and the last page has no cursor", async ({ api }) => {
      const made: string[] = [];
      for (let n = 0; n < 3; n += 1) made.unshift((await create(api, unused("order"))).id);
      expect(idsOf(await list(api, "limit=3"))).toEqual(made);
      const only = bodyOf<Page>(await list(api, `merchant_reference=${encodeURIComponent(unused("none"))}`), 200);
      expect(only).toEqual({ data: [], has_more: false, next_cursor: null });
    });

    test("limits from 1 to 100 are valid; the default is 25", async ({ api }) => {
      for (let n = 0; n < 26; n += 1) await create(api, unused("page"));
      expect(idsOf(await list(api, "limit=1"))).toHaveLength(1);
      const whole = bodyOf<Page>(await list(api, "limit=100"), 200);
      expect(whole).toMatchObject({ has_more: false, next_cursor: null });
      expect(whole.data).toHaveLength(26);
      const first = bodyOf<Page>(await api.get(path), 200);
      expect(first.data).toHaveLength(25);
      expect(first.has_more).toBe(true);
      const second = await list(api, `cursor=${encodeURIComponent(first.next_cursor ?? "")}`);
      expect(idsOf(second)).toEqual(whole.data.slice(25).map(({ id }) => id));
    });

    test("a page that ends exactly at the last row has no cursor", async ({ api }) => {
      await create(api, unused("one"));
      expect(bodyOf<Page>(await list(api, "limit=1"), 200)).toMatchObject({ has_more: false, next_cursor: null });
    });
  });

  test.describe("200: filters", () => {
    test("a reference selects its one intent, byte for byte", async ({ api }) => {
      const reference = `${unused("Füllhorn")} & Söhne`;
      const { id } = await create(api, reference);
      expect(idsOf(await list(api, `merchant_reference=${encodeURIComponent(reference)}`))).toEqual([id]);
      expect(idsOf(await list(api, `merchant_reference=${encodeURIComponent(reference.toUpperCase())}`))).toEqual([]);
    });

    test("country and currency filter the list", async ({ api }) => {
      const reference = unused("narrow");
      const { id } = await create(api, reference);
      const find = async (more: string) => idsOf(await list(api, `merchant_reference=${reference}&${more}`));
      expect(await find("country=BR&currency=BRL")).toEqual([id]);
      expect(await find("country=MX")).toEqual([]);
      expect(await find("currency=MXN")).toEqual([]);
    });

    test("created_after is inclusive, created_before exclusive, in any offset", async ({ api }) => {
      const reference = unused("window");
      const { id } = await create(api, reference);
      const [intent] = bodyOf<Page>(await list(api, `merchant_reference=${reference}`), 200).data;
      const at = intent?.created_at ?? "";
      const shifted = new Date(Date.parse(at) + 8 * 3_600_000).toISOString().replace("Z", "+08:00");
      const find = async (more: string) => idsOf(await list(api, `merchant_reference=${reference}&${more}`));
      expect(await find(`created_after=${at}`)).toEqual([id]);
      expect(await find(`created_before=${at}`)).toEqual([]);
      expect(await find(`created_after=${encodeURIComponent(shifted)}`)).toEqual([id]);
      expect(await find(`created_before=${encodeURIComponent(shifted)}`)).toEqual([]);
      expect(await find(`created_after=${shifted}`), "a plus that decoded to a space is repaired").toEqual([id]);
      expect(await find(`created_after=${at}&created_before=2000-01-01T00:00:00Z`), "inverted").toEqual([]);
    });

    test("several statuses can be given in three equivalent spellings", async ({ api }) => {
      const { id } = await create(api, unused("status"));
      const [first = "", second = ""] = statuses;
      const spellings = [
        `status=${first},${second}`,
        `status=${first}&status=${second}`,
        `status[]=${first}&status[]=${second}`,
        `status=${first}&status=${first},${second}`,
      ];
      const answers = await Promise.all(spellings.map((spelling) => list(api, `limit=5&${spelling}`)));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      for (const { status } of bodyOf<Page>(answers[0] as Answer, 200).data) expect([first, second]).toContain(status);
      for (const status of statuses)
        expect(idsOf(await list(api, `status=${status}`)), status).toEqual(status === first ? [id] : []);
    });

    test("unknown parameters are ignored and named", async ({ api }) => {
      const answer = await list(api, "limit=1&sort=asc&merchant_id=mer_x");
      expect(answer.status).toBe(200);
      expect(answer.headers.get("ignored-parameters")).toBe("sort, merchant_id");
    });
  });

  test.describe("other merchant, other environment", () => {
    test("each shows only its own intents", async ({ api, liveApi, strangerApi }) => {
      const reference = unused("own");
      const { id } = await create(api, reference);
      expect(idsOf(await list(api, `merchant_reference=${reference}`))).toEqual([id]);
      expect(idsOf(await list(liveApi, `merchant_reference=${reference}`))).toEqual([]);
      expect(idsOf(await list(strangerApi, `merchant_reference=${reference}`))).toEqual([]);
    });
  });

  test.describe("400", () => {
    const invalid = [
      ...["0", "101", "25.0", "abc", "", "-1", "1e1", "%2B5", " 5", "0x10"].map((limit) => ["limit", `limit=${limit}`]),
      ...["nothing", "", "succeeded,", "SUCCEEDED"].map((status) => ["status", `status=${status}`]),
      ["currency", "currency=JPY"],
      ["currency", "currency=brl"],
      ["country", "country=XX"],
      ["country", "country=br"],
      ["created_after", "created_after=2026-01-01"],
      ["created_after", "created_after=2026-01-01T00:00:00"],
      ["created_before", "created_before=2026-02-30T00:00:00Z"],
      ["created_before", "created_before=yesterday"],
      ["cursor", "cursor="],
      ["cursor", "cursor=abc"],
      ["merchant_reference", "merchant_reference="],
      ["limit", "limit=5&limit=6"],
    ] as const;
    test("an invalid parameter is rejected by name", async ({ api }) => {
      for (const [name, query] of invalid) {
        const refusal = refusalOf(await list(api, query), 400);
        expect(refusal.code, query).toBe("validation_failed");
        expect(refusal.message, query).toMatch(new RegExp(`^${name} `));
      }
    });
  });
}
