// What an API key may do, what a payout may be at most, and since when a member's authority counts.
import { describe, expect, it } from "vitest";
import { authorityGiven } from "./authority";
import { ServiceError } from "./errors";
import { isKeyScope, KEY_SCOPES, requireKeyScope } from "./key-scopes";
import { orderOf } from "./list-order";
import { isUnlimited, NO_PAYOUT_LIMITS } from "./payout-limits";
import { recordedActor } from "./scope";
import { after, START } from "./testing/samples";

describe("the scopes of a key", () => {
  it("allow what they contain", () => {
    for (const scope of KEY_SCOPES) expect(requireKeyScope([scope], scope)).toBeUndefined();
  });

  it("of a key without a list are all", () => {
    for (const scope of KEY_SCOPES) expect(requireKeyScope(null, scope)).toBeUndefined();
  });

  it("refuse what they do not contain, by name", () => {
    const lacking = () => requireKeyScope(["payout_intents:read"], "payout_intents:write");
    expect(lacking).toThrow(new ServiceError("forbidden", "This API key lacks the scope payout_intents:write."));
    expect(() => requireKeyScope([], "events:read")).toThrow(ServiceError);
  });

  it("are a closed list", () => {
    expect(KEY_SCOPES.every(isKeyScope)).toBe(true);
    for (const text of ["", "payments:read", "events", "events:READ"]) expect(isKeyScope(text)).toBe(false);
  });
});

it.each(["amountAtMost", "dayAtMost", "recipientDayAtMost"] as const)("payouts with only %s are limited", (limit) => {
  expect(isUnlimited(NO_PAYOUT_LIMITS)).toBe(true);
  expect(isUnlimited({ ...NO_PAYOUT_LIMITS, [limit]: 0n })).toBe(false);
});

describe("authority", () => {
  const coolDownSeconds = 86_400;

  it("given by a member counts at once in test, and in live after the cool-down", () => {
    const given = authorityGiven(START, { type: "member", id: "mem_1" }, coolDownSeconds);
    expect(given).toEqual({ testFrom: START, liveFrom: after(86_400_000) });
  });

  it.each([
    { type: "operator", id: "root" } as const,
    { type: "member", id: "mem_1", statedAddress: "ana@shop.example" } as const,
  ])("given at the command line counts at once: %j", (giver) => {
    expect(authorityGiven(START, giver, coolDownSeconds)).toEqual({ testFrom: START, liveFrom: START });
  });
});

it("an act at the command line is the operator's, whatever name was given", () => {
  const member = { type: "member", id: "mem_1" } as const;
  expect(recordedActor(member)).toBe(member);
  expect(recordedActor({ ...member, statedAddress: "ana@shop.example" })).toEqual({
    type: "operator",
    id: "ana@shop.example",
  });
});

it("a list is newest first unless it is asked for oldest first", () => {
  expect([undefined, "-created_at", "created_at"].map((sort) => orderOf(sort as "created_at"))).toEqual([
    "newest_first",
    "newest_first",
    "oldest_first",
  ]);
});
