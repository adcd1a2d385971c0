// A stranger cannot tell a wrong secret from an unknown key by what it costs: calls of the hash, comparisons, look-ups.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { statementsOf } from "@/server/db/testing/statement-texts";
import { NO_LIMITS } from "@/server/domain/api-key";
import { ServiceError } from "@/server/domain/errors";
import * as crypto from "@/server/platform/crypto";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { countSampled } from "../audit/sampled";
import { authenticate, type Credentials } from "./authenticate";
import { createApiKey } from "./create";
import type { CreatedKey } from "./new-key";

vi.mock("@/server/platform/crypto", async (original) => {
  const real = await original<typeof crypto>();
  return {
    ...real,
    hmacHex: vi.fn<typeof real.hmacHex>(real.hmacHex),
    equalTexts: vi.fn<typeof real.equalTexts>(real.equalTexts),
  };
});
vi.mock("../audit/sampled", async (original) => {
  const real = await original<object & { countSampled: typeof countSampled }>();
  return { ...real, countSampled: vi.fn<typeof countSampled>(real.countSampled) };
});

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
  vi.useFakeTimers({ toFake: ["performance"] });
  // lru-cache never expires an entry that starts at 0.
  vi.advanceTimersByTime(1);
});
afterEach(() => vi.useRealTimers());

const digits = (length: number) => randomBytes(length).toString("hex").slice(0, length);
const unknown = (): Credentials => ({ publicKey: `pk_test_${digits(24)}`, secretKey: `sk_test_${digits(43)}` });
const wrong = ({ publicKey }: CreatedKey): Credentials => ({ publicKey, secretKey: `sk_test_${digits(43)}` });

/** Ms before each guess: within the second for which look-ups are cached, at its end, after it. */
const PAUSES_MS = [0, 0, 1, 400, 600, 0, 899, 1, 1, 1_000, 5_000, 300, 700];

interface Cost {
  readonly hashes: number;
  readonly comparisons: number;
  readonly counted: number;
  readonly charged: number;
  readonly statements: readonly string[];
}

/** What a refused call does before its answer. */
async function costOf(credentials: Credentials): Promise<Cost> {
  const counters = [crypto.hmacHex, crypto.equalTexts, countSampled].map((counted) => vi.mocked(counted));
  for (const counter of counters) counter.mockClear();
  let charged = 0;
  const call = () =>
    authenticate(credentials, "203.0.113.7", () => {
      charged += 1;
    });
  const texts = await statementsOf(() => expect(call()).rejects.toMatchObject({ code: "unauthorized" }));
  const [hashes = 0, comparisons = 0, counted = 0] = counters.map(({ mock }) => mock.calls.length);
  // Others come at times of their own: those of a connection, of the clock, of the owner's use, and of the record of refusals.
  const statements = texts.filter((text) => /FROM api_key WHERE public_key/.test(text));
  return { hashes, comparisons, counted, charged, statements };
}

/** The costs of guesses at one public key; `before` happens before each. */
async function costsOf(credentials: Credentials, before: () => Promise<unknown> = async () => {}): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const pauseMs of PAUSES_MS) {
    vi.advanceTimersByTime(pauseMs);
    await before();
    costs.push(await costOf(credentials));
  }
  return costs;
}

it("an unknown key takes one look-up a second, one hash and one comparison", async () => {
  const costs = await costsOf(unknown());
  expect(new Set(costs.map(({ hashes, comparisons, counted }) => `${hashes} ${comparisons} ${counted}`))).toEqual(
    new Set(["1 1 1"]),
  );
  expect(costs.map(({ statements }) => statements.length)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1]);
});

it("a wrong secret costs the same, for a key that nobody uses", async () => {
  const key = await createApiKey(merchant.context, "unused");
  const known = await costsOf(wrong(key));
  vi.advanceTimersByTime(5_000);
  expect(known).toEqual(await costsOf(unknown()));
});

it("a wrong secret costs the same, for a key that its owner uses all the time", async () => {
  const key = await createApiKey(merchant.context, "busy");
  await authenticate(key);
  vi.advanceTimersByTime(5_000);
  const known = await costsOf(wrong(key), () => authenticate(key));
  vi.advanceTimersByTime(5_000);
  expect(known).toEqual(await costsOf(unknown()));
});

it("the right secret from another network costs the same", async () => {
  const key = await createApiKey(merchant.context, "office", { ...NO_LIMITS, networks: ["198.51.100.0/24"] });
  const known = await costsOf(key);
  vi.advanceTimersByTime(5_000);
  expect(known).toEqual(await costsOf(unknown()));
});

it("a stranger without tokens gets the same answer for both, and the failure of a known key still counts", async () => {
  const key = await createApiKey(merchant.context, "busy");
  await authenticate(key);
  vi.advanceTimersByTime(5_000);
  const charge = () => {
    throw new ServiceError("rate_limited", "Too many requests.", 1);
  };
  for (const pair of [wrong(key), unknown()])
    await expect(authenticate(pair, "203.0.113.7", charge)).rejects.toMatchObject({ code: "rate_limited" });
  expect((await authenticate(key, "203.0.113.7", charge)).apiKeyId).toBe(key.id);
  await vi.waitFor(async () => {
    const rows = await query("SELECT FROM audit_entry WHERE object_id = $1 AND action = 'api_key.refused'", key.id);
    expect(rows).toHaveLength(1);
  }, 30_000);
});
