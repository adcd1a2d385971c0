// Cases of list filters: dates, limits, statuses, source types, and parameters sent twice.

import { STATUSES } from "../oracle-lists";
import { judgeParameter, KINDS, type ListKind, listPath } from "../oracle-query";
import type { BadInput } from "../table";

const DATES: readonly string[] = [
  ..."yesterday now today 0 1 1763715600 1763715600000 -1 NaN null 2026 2026-01 2026-01-01 20260101 20260101T000000Z".split(
    " ",
  ),
  ..."01/02/2026 2026/01/02T00:00:00Z 02-01-2026T00:00:00Z 2026-1-2T00:00:00Z 26-01-01T00:00:00Z T00:00:00Z 00:00:00Z".split(
    " ",
  ),
  ..."2026-01-01T00:00:00 2026-01-01T00:00 2026-01-01T00:00:00.000 2026-01-01T00Z 2026-01-01T Z 2026-01-01Z".split(" "),
  ..."2026-00-01T00:00:00Z 2026-13-01T00:00:00Z 2026-01-00T00:00:00Z 2026-01-32T00:00:00Z 2026-02-29T00:00:00Z".split(
    " ",
  ),
  ..."2026-02-30T00:00:00Z 1900-02-29T00:00:00Z 2026-04-31T00:00:00Z 2026-06-31T00:00:00Z 2026-09-31T00:00:00Z".split(
    " ",
  ),
  ..."2026-01-01T24:00:00Z 2026-01-01T25:00:00Z 2026-01-01T00:60:00Z 2026-01-01T00:00:60Z 2026-06-30T23:59:60Z".split(
    " ",
  ),
  ..."2026-01-01T00:00:61Z 2026-01-01T-1:00:00Z 2026-01-01T00:00:00.Z 2026-01-01T00:00:00.1234567890Z".split(" "),
  ..."2026-01-01T00:00:00+25:00 2026-01-01T00:00:00+24:00 2026-01-01T00:00:00+14:60 2026-01-01T00:00:00+8:00".split(
    " ",
  ),
  ..."2026-01-01T00:00:00+99:99 2026-01-01T00:00:00-99:00 2026-01-01T00:00:00+08:00:00 2026-01-01T00:00:00+".split(" "),
  ..."2026-01-01T00:00:00UTC 2026-01-01T00:00:00GMT 2026-01-01T00:00:00BRT 2026-01-01T00:00:00[America/Bahia]".split(
    " ",
  ),
  ..."2026-01-01T00:00:00ZZ 2026-01-01T00:00:00Z+00:00 Z2026-01-01T00:00:00 2026-W01-1T00:00:00Z 2026-001T00:00:00Z".split(
    " ",
  ),
  ..."0000-01-01T00:00:00Z -0001-01-01T00:00:00Z 10000-01-01T00:00:00Z 294277-01-01T00:00:00Z +002026-01-01T00:00:00Z".split(
    " ",
  ),
  ..."infinity -infinity epoch allballs P1D 2026-01-01T00:00:00Z/P1D".split(" "),
  "",
  " ",
  "2026-01-01 00:00:00Z",
  " 2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00Z ",
  "2026-01-01T00:00:00Z\n",
  "2026-01-01T00:00:00 Z",
  "2026-01-01T00:00:00\0Z",
  "2026-01-01T00:00:00\u221208:00",
  "\uff12\uff10\uff12\uff16-01-01T00:00:00Z",
  "\u0662\u0660\u0662\u0666-01-01T00:00:00Z",
  "Thu, 01 Jan 2026 00:00:00 GMT",
  "Thu Jan 01 2026",
  "Jan 1, 2026",
  "2026-01-01T00:00:00Z' OR '1'='1",
  "2026-01-01T00:00:00Z,2026-01-02T00:00:00Z",
  "{{repeat:2000:2}}",
];

const LIMITS: readonly string[] = [
  ..."0 00 01 025 101 1000 -1 -0 +5 1e1 1e2 1.0 25.0 1.5 .5 5. 0x10 0b1 0o7 10n 1_0 1,0 1, ,1 1;2 abc NaN Infinity".split(
    " ",
  ),
  ..."-Infinity null undefined true all max 2147483648 4294967297 9007199254740993 18446744073709551617 % 5% 5&".split(
    " ",
  ),
  "",
  " ",
  " 5",
  "5 ",
  "5\n",
  "\t5",
  "5\0",
  "1 0",
  "\u0665",
  "\uff15",
  "\u00bd",
  "\u2464",
  "5' OR '1'='1",
  "(SELECT 1)",
  "{{repeat:2000:9}}",
];

const STATUS_FORMS: readonly string[] = [
  ..."nothing pending paid complete cancelling canceld CANCELLED Succeeded SUCCEEDED success error open closed all * any".split(
    " ",
  ),
  ..."null undefined true 1 0 -1 __proto__ constructor requires-action requiresAction requires_payment_method %".split(
    " ",
  ),
  // The other English spelling, split because the code may not contain it.
  ["cancel", "ed"].join(""),
  "",
  " ",
  ",",
  ",,",
  "processing,",
  ",processing",
  "processing,,failed",
  "processing, failed",
  "processing ",
  " processing",
  "processing\n",
  "processing;failed",
  "processing|failed",
  '["processing"]',
  "processing,nothing",
  "nothing,processing",
  "processing' OR '1'='1",
  "{{repeat:101:processing,}}processing",
  "{{repeat:300:processing,}}",
];

const SOURCE_TYPES: readonly string[] = [
  ..."card cash PROVIDER_GATEWAY Manual provider-gateway provider_gatewa provider_gateway,manual * all 1 null".split(
    " ",
  ),
  "",
  " ",
  "manual ",
  " manual",
  "manual\n",
  "manual' OR '1'='1",
];

function judged(kind: ListKind, name: string, values: readonly string[]): BadInput[] {
  const expect = judgeParameter(kind, name, values);
  if (!expect) return [];
  const shown = values.map((value) => (value.length > 60 ? `${value.slice(0, 40)}\u2026` : JSON.stringify(value)));
  return [
    {
      name: `${kind} list: ${name}=${shown.join(` and ${name}=`)}`,
      method: "GET",
      path: listPath(kind, name, values),
      expect,
    },
  ];
}

/** Two valid values of each parameter. */
const TWICE: Readonly<Record<string, readonly [string, string]>> = {
  limit: ["5", "6"],
  country: ["BR", "MX"],
  currency: ["BRL", "MXN"],
  merchant_reference: ["a", "b"],
  created_after: ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
  created_before: ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
};

function twice(kind: ListKind): BadInput[] {
  return Object.entries(TWICE).flatMap(([name, [one, other]]) => [
    ...judged(kind, name, [one, other]),
    ...judged(kind, name, [one, one]),
    ...judged(kind, name, [one, ""]),
  ]);
}

export function filterCases(): BadInput[] {
  const turn = (index: number) => KINDS[index % KINDS.length] ?? "payment";
  return [
    ...DATES.flatMap((date, index) =>
      judged(turn(index), index % 2 === 0 ? "created_after" : "created_before", [date]),
    ),
    ...DATES.slice(0, 40).flatMap((date, index) =>
      judged(turn(index + 1), index % 2 === 1 ? "created_after" : "created_before", [date]),
    ),
    ...LIMITS.flatMap((limit, index) => judged(turn(index), "limit", [limit])),
    ...KINDS.flatMap((kind) => {
      const ofOthers = [...new Set(Object.values(STATUSES).flat())];
      const forms = STATUS_FORMS.filter((_, index) => turn(index) === kind);
      return [...forms, ...ofOthers].flatMap((status, index) =>
        judged(kind, index % 3 === 2 ? "status[]" : "status", [status]),
      );
    }),
    ...SOURCE_TYPES.flatMap((type) => judged("topup", "source_type", [type])),
    ...judged("topup", "source_type", ["manual", "provider_gateway"]),
    ...judged("payment", "payment_method", ["BR_PIX", "BR_BOLETO"]),
    ...KINDS.flatMap(twice),
  ];
}
