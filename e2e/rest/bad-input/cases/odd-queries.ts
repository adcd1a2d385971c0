// Cases of list queries that look wrong but are valid: odd dates, spellings of lists, unknown parameters.
import { COUNTRIES, STATUSES } from "../oracle-lists";
import { judgeParameter, KINDS, LISTS, type ListKind, listPath } from "../oracle-query";
import type { OddInput } from "../table";
import { NAUGHTY } from "./naughty-strings";

const DATES: readonly string[] = [
  ..."2026-01-01T00:00Z 2026-01-01T00:00:00,5Z 2026-01-01T00:00:00.123456789Z 2024-02-29T00:00:00Z 2000-02-29T23:59:59Z".split(
    " ",
  ),
  ..."2026-01-01T00:00:00+00:00 2026-01-01T00:00:00-12:00 2026-01-01T00:00:00+14:00 2026-01-01T00:00:00+05:45".split(
    " ",
  ),
  ..."1970-01-01T00:00:00Z 1900-01-01T00:00:00Z 0100-01-01T00:00:00Z 9999-12-31T23:59:59Z 9999-12-31T23:59:59.999999999Z".split(
    " ",
  ),
  ..."9999-12-31T23:59:59-00:01 9999-12-31T23:59:59.999-14:00 0100-01-01T00:00:00+14:00".split(" "),
  "2026-01-01T00:00:00 08:00",
];

function listed(kind: ListKind, name: string, values: readonly string[]): OddInput {
  if (judgeParameter(kind, name, values)) throw new Error(`${name}=${values.join()} is wrong`);
  return {
    name: `${kind} list: ${name}=${values.join(" and ")}`,
    method: "GET",
    path: listPath(kind, name, values),
    expect: { status: 200 },
  };
}

/** Query strings that no route declares, with the header that then names them. */
const IGNORED: readonly (readonly [query: string, header: string])[] = [
  ["sort=asc", "sort"],
  ["environment=live&merchant_id=x", "environment, merchant_id"],
  ["LIMIT=0&Status=nothing", "LIMIT, Status"],
  ["limit[]=0", "limit%5B%5D"],
  ["offset=10&page=2&page=3", "offset, page"],
  ["__proto__=1&constructor=2", "__proto__, constructor"],
  ["a%0d%0aSet-Cookie:b=1", "a%0D%0ASet-Cookie%3Ab"],
  ["%C3%A9=1&%F0%9F%98%80=2", "%C3%A9, %F0%9F%98%80"],
  ["a=%00", "a"],
  ["x", "x"],
  ["a%2Cb=1", "a%2Cb"],
];

export function oddQueries(): OddInput[] {
  const turn = (index: number) => KINDS[index % KINDS.length] ?? "payment";
  const statuses = KINDS.flatMap((kind) => [
    listed(kind, "status", [STATUSES[kind].join(",")]),
    listed(kind, "status", STATUSES[kind]),
    listed(kind, "status[]", STATUSES[kind]),
    listed(kind, "status", [STATUSES[kind][0], STATUSES[kind].slice(1).join(",")]),
    listed(kind, "status", [Array.from({ length: 100 }, () => STATUSES[kind][0]).join(",")]),
  ]);
  return [
    ...DATES.map((date, index) => listed(turn(index), index % 2 === 0 ? "created_after" : "created_before", [date])),
    ...statuses,
    ...["1", "100", "9"].map((limit, index) => listed(turn(index), "limit", [limit])),
    ...KINDS.map((kind) => listed(kind, "cursor", [`{{${kind}_cursor}}`])),
    ...["provider_gateway", "bank_transfer", "manual"].map((type) => listed("topup", "source_type", [type])),
    ...[...COUNTRIES].map((country, index) => listed(turn(index), "country", [country])),
    ...NAUGHTY.map((text, index) => listed(turn(index), "merchant_reference", [text])),
    ...IGNORED.map(([query, ignored], index): OddInput => {
      const path = `${LISTS[turn(index)]}?${query}`;
      return { name: `the query ${query} is ignored`, method: "GET", path, expect: { status: 200, ignored } };
    }),
    { name: "a query of nothing", method: "GET", path: "/v1/payment_intents?", expect: { status: 200 } },
    { name: "a query of separators", method: "GET", path: "/v1/payment_intents?&&&", expect: { status: 200 } },
    {
      name: "a query where none is known",
      method: "GET",
      path: "/v1/wallets?limit=0",
      expect: { status: 200, ignored: "limit" },
    },
    {
      name: "the event catalogue with wrong credentials",
      method: "GET",
      path: "/v1/webhook_events",
      headers: { authorization: "Basic %%%" },
      expect: { status: 200 },
    },
  ];
}
