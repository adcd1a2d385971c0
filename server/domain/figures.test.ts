import { describe, expect, it } from "vitest";
import { addFigures, type DayEnds, periodOf } from "./figures";

const end = (day: string, more: Partial<DayEnds> = {}): DayEnds => ({
  day,
  kind: "payment_intent",
  status: "succeeded",
  failureCode: null,
  currency: "BRL",
  count: 1,
  amount: 100n,
  ...more,
});

describe("a period", () => {
  const now = new Date("2026-11-21T23:59:59.999Z");

  it("is whole days of the zone, today among them, and as many before", () => {
    const utc = periodOf({ days: 7 }, now, "UTC");
    expect(utc).toMatchObject({ before: "2026-11-08", from: "2026-11-15", to: "2026-11-21" });
    expect([utc.starts.length, utc.starts[0], utc.starts.at(-1)]).toEqual([
      15,
      new Date("2026-11-08T00:00:00.000Z"),
      new Date("2026-11-22T00:00:00.000Z"),
    ]);
    const kathmandu = periodOf({ days: 7 }, now, "Asia/Kathmandu");
    expect(kathmandu).toMatchObject({ before: "2026-11-09", from: "2026-11-16", to: "2026-11-22" });
    expect(kathmandu.starts[0]).toEqual(new Date("2026-11-08T18:15:00.000Z"));
  });

  it("of chosen days is compared with as many before, whatever their hours", () => {
    const { before, starts } = periodOf({ from: "2026-03-28", to: "2026-03-30" }, now, "Europe/Berlin");
    expect([before, starts.length, starts[0]]).toEqual(["2026-03-25", 7, new Date("2026-03-24T23:00:00.000Z")]);
    expect(starts.at(-1)).toEqual(new Date("2026-03-30T22:00:00.000Z"));
  });
});

it("volumes are what succeeded, exact beyond what a number holds, and never added across currencies", () => {
  const huge = 10n ** 29n;
  const { volumes } = addFigures(
    [
      end("2026-11-20", { amount: huge, count: 2 }),
      end("2026-11-20", { amount: 1n }),
      end("2026-11-21", { amount: 5n }),
      end("2026-11-21", { currency: "JPY", amount: 7n }),
      end("2026-11-21", { status: "failed", failureCode: "expired", amount: 9n }),
      end("2026-11-14", { amount: 3n, count: 4 }),
    ],
    "2026-11-15",
  );
  expect(volumes).toEqual([
    {
      kind: "payment_intent",
      currency: "BRL",
      amount: huge + 6n,
      amountBefore: 3n,
      count: 4,
      byDay: [
        { day: "2026-11-20", amount: huge + 1n, count: 3 },
        { day: "2026-11-21", amount: 5n, count: 1 },
      ],
    },
    {
      kind: "payment_intent",
      currency: "JPY",
      amount: 7n,
      amountBefore: 0n,
      count: 1,
      byDay: [{ day: "2026-11-21", amount: 7n, count: 1 }],
    },
  ]);
});

it("a success rate has its denominator: what a person cancelled is neither a success nor a failure", () => {
  const payout = { kind: "payout_intent" } as const;
  const { rates, failures } = addFigures(
    [
      end("2026-11-20", { ...payout, count: 6 }),
      end("2026-11-20", { ...payout, status: "failed", failureCode: "invalid_recipient", count: 2 }),
      end("2026-11-21", { ...payout, status: "failed", failureCode: "provider_declined", count: 3 }),
      end("2026-11-20", { ...payout, status: "cancelled", failureCode: "cancelled", count: 50 }),
      end("2026-11-01", { ...payout, status: "failed", failureCode: "provider_declined", count: 9 }),
      end("2026-11-01", { ...payout, count: 1 }),
    ],
    "2026-11-15",
  );
  expect(rates).toEqual([
    { kind: "payment_intent", succeeded: 0, ended: 0, succeededBefore: 0, endedBefore: 0 },
    { kind: "payout_intent", succeeded: 6, ended: 11, succeededBefore: 1, endedBefore: 10 },
  ]);
  expect(failures.map(({ code, count }) => [code, count])).toEqual([
    ["provider_declined", 3],
    ["invalid_recipient", 2],
  ]);
});

it("the first day of the period is in it, and the day before is not", () => {
  const { volumes } = addFigures([end("2026-11-14", { amount: 3n }), end("2026-11-15", { amount: 5n })], "2026-11-15");
  expect(volumes).toMatchObject([{ amount: 5n, amountBefore: 3n, count: 1 }]);
});

it("volumes are apart by kind, the most frequent first, then by currency, and their days in order", () => {
  const ends = [
    end("2026-11-21", { currency: "JPY" }),
    end("2026-11-21", { kind: "payout_intent", count: 5 }),
    end("2026-11-20", { kind: "payout_intent", count: 2 }),
    end("2026-11-21", { currency: "ARS" }),
    end("2026-11-21", { currency: "BRL" }),
  ];
  for (const given of [ends, ends.toReversed()]) {
    const { volumes } = addFigures(given, "2026-11-15");
    expect(volumes.map(({ kind, currency, count }) => `${kind} ${currency} ${count}`)).toEqual([
      "payout_intent BRL 7",
      "payment_intent ARS 1",
      "payment_intent BRL 1",
      "payment_intent JPY 1",
    ]);
    expect(volumes[0]?.byDay.map(({ day }) => day)).toEqual(["2026-11-20", "2026-11-21"]);
  }
});

it("the six most frequent failures are listed, equal ones by their code", () => {
  const codes = ["expired", "cancelled", "provider_declined", "underpaid", "invalid_recipient", "provider_unavailable"];
  const failed = codes.map((failureCode, n) =>
    end("2026-11-20", { status: "failed", failureCode, count: n < 2 ? 3 : 9 }),
  );
  const more = end("2026-11-20", { kind: "payout_intent", status: "failed", failureCode: "expired", count: 1 });
  for (const given of [
    [...failed, more],
    [more, ...failed.toReversed()],
  ]) {
    const { failures } = addFigures(given, "2026-11-15");
    expect(failures.map(({ code }) => code)).toEqual([
      "invalid_recipient",
      "provider_declined",
      "provider_unavailable",
      "underpaid",
      "cancelled",
      "expired",
    ]);
  }
});
