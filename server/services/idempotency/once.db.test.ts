// Idempotent execution on a real database: one effect per key under races, crashes and retries.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { ServiceError, validationError } from "@/server/domain/errors";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { keyed, makeMerchant, OPENING, once, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { createPaymentIntent } from "../payments/create";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { withoutIdempotency } from "./completion";
import { answerOnce, type IdempotencyLease } from "./once";
import { reapIdempotencyKeys } from "./reap";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(requireInvariants);

type Settled = PromiseSettledResult<{ status: number; body: string; replayed: boolean }>;

/** Counts original answers, replays and conflicts with a request in flight. */
function sort(results: readonly Settled[]) {
  const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const inFlight = refusals.filter((error) => error instanceof ServiceError && error.retryAfterSeconds === 1);
  return {
    firsts: answers.filter(({ replayed }) => !replayed).length,
    bodies: new Set(answers.map(({ status, body }) => `${status} ${body}`)).size,
    others: refusals.filter((error) => !inFlight.includes(error)),
  };
}

const createUnder = (key: string, command = payment(), content = "POST /payment_intents\n{}") =>
  once<PaymentIntent>(keyed(merchant, key, content), (idempotency) =>
    createPaymentIntent(merchant.context, command, idempotency),
  );

const ageKey = (column: string, interval: string) =>
  query(
    `UPDATE idempotency_key SET ${column} = now() - interval '${interval}' WHERE merchant_id = $1`,
    merchant.merchantId,
  );

describe("64 requests at once under one key", () => {
  it("create one payment; every other answer is its replay or a conflict in flight", async () => {
    const command = payment();
    const results = await Promise.allSettled(Array.from({ length: 64 }, () => createUnder("k", command)));
    expect(sort(results)).toEqual({ firsts: 1, bodies: 1, others: [] });
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
    expect(await createUnder("k", command)).toMatchObject({ replayed: true, status: 201 });
  });

  it("cancel a payout once; all answers are the same 202", async () => {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    const cancel = () =>
      once(keyed(merchant, "k"), (idempotency) =>
        cancelPayoutIntent(merchant.context, { id: intent.id, reason: "why" }, idempotency),
      );
    const results = await Promise.allSettled(Array.from({ length: 64 }, cancel));
    expect(sort(results)).toEqual({ firsts: 1, bodies: 1, others: [] });
    expect(await countRows("event", merchant.merchantId)).toBe(1);
    expect(await cancel()).toMatchObject({ status: 202, replayed: true });
  });

  it("are rejected once for lack of funds, and stay rejected", async () => {
    const command = payout({ amount: String(OPENING + 1n) });
    const create = () =>
      once(keyed(merchant, "k"), (idempotency) => createPayoutIntent(merchant.context, command, idempotency));
    const results = await Promise.allSettled(Array.from({ length: 64 }, create));
    const { bodies, others } = sort(results);
    expect(bodies).toBeLessThanOrEqual(1);
    expect(new Set(others.map((error) => (error as ServiceError).code))).toEqual(new Set(["insufficient_balance"]));
    expect(await create()).toMatchObject({ status: 422, replayed: true });
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(0);
  });
});

describe("the same key", () => {
  it("with a different request is a conflict and has no effect, before and after the answer", async () => {
    await createUnder("k");
    const other = createUnder("k", payment(), 'POST /payment_intents\n{"amount":"2"}');
    await expect(other).rejects.toMatchObject({ code: "idempotency_conflict", retryAfterSeconds: null });
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
  });

  it("under another API key is another key", async () => {
    await createUnder("k");
    const context = { ...merchant.context, actor: { type: "api_key" as const, id: "key_other" } };
    const answer = await once<PaymentIntent>(keyed({ ...merchant, context }, "k"), (idempotency) =>
      createPaymentIntent(context, payment(), idempotency),
    );
    expect(answer.replayed).toBe(false);
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(2);
  });

  it("is unused again 24 hours after the first request, and replays until a minute before", async () => {
    const command = payment();
    const first = await createUnder("k", command);
    await ageKey("created_at", "23 hours 59 minutes");
    expect(await createUnder("k", command)).toEqual({ ...first, replayed: true });
    await ageKey("created_at", "24 hours");
    expect(await createUnder("k", payment())).toMatchObject({ status: 201, replayed: false });
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(2);
  });

  it("is deleted with its answer after its lifetime, and not before", async () => {
    await createUnder("old");
    await ageKey("created_at", "24 hours");
    await createUnder("young");
    expect(await reapIdempotencyKeys()).toBeGreaterThanOrEqual(1);
    expect(await countRows("idempotency_key", merchant.merchantId)).toBe(1);
    expect(await countRows("idempotency_seal", merchant.merchantId)).toBe(1);
  });
});

describe("a request that died", () => {
  /** Leaves the rows of a process that was killed between its first commit and its answer. */
  async function die(command = payment()) {
    const killed = once<PaymentIntent>(keyed(merchant, "k"), async (idempotency) => {
      await createPaymentIntent(merchant.context, command, {
        ...idempotency,
        present: () => ({ status: 201, body: "{}" }),
      });
      return new Promise(() => {});
    });
    void killed;
    while ((await countRows("idempotency_seal", merchant.merchantId)) === 0)
      await new Promise((go) => setTimeout(go, 20));
    await query("DELETE FROM idempotency_seal WHERE merchant_id = $1", merchant.merchantId);
  }

  it("is still in flight while its lease runs", async () => {
    await die();
    const retry = createUnder("k", payment(), "POST /x\n{}");
    await expect(retry).rejects.toMatchObject({ code: "idempotency_conflict", retryAfterSeconds: 1 });
  });

  it("retains its lease when a retry fails on our side: a request releases only its own key", async () => {
    await die();
    const broken = answerOnce(
      keyed(merchant, "k", "POST /x\n{}"),
      async () => Promise.reject(new Error("the database went away")),
      () => ({ status: 409, body: "" }),
    );
    await expect(broken).rejects.toMatchObject({ code: "idempotency_conflict", retryAfterSeconds: 1 });
    const rows = await query(
      "SELECT 1 FROM idempotency_key WHERE merchant_id = $1 AND lease_until > now()",
      merchant.merchantId,
    );
    expect(rows).toHaveLength(1);
  });

  it("is resumed after its lease: the retry answers with the recorded object and creates none", async () => {
    await die();
    await ageKey("lease_until", "1 second");
    const retries = await Promise.allSettled(
      Array.from({ length: 16 }, () => createUnder("k", payment(), "POST /x\n{}")),
    );
    expect(sort(retries)).toEqual({ firsts: 1, bodies: 1, others: [] });
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
    expect(await createUnder("k", payment(), "POST /x\n{}")).toMatchObject({ status: 201, replayed: true });
  });

  it("before its first write is executed once more, by one of many retries", async () => {
    const request = keyed(merchant, "k");
    let executions = 0;
    let finish = () => {};
    const others = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const execute = async (lease: IdempotencyLease) => {
      await lease.take();
      executions += 1;
      await others;
      return { status: 200, body: "done" };
    };
    void answerOnce(
      request,
      async (lease) => lease.take().then(() => new Promise(() => {})),
      () => ({ status: 409, body: "" }),
    );
    while ((await countRows("idempotency_key", merchant.merchantId)) === 0)
      await new Promise((go) => setTimeout(go, 20));
    await ageKey("lease_until", "1 second");
    const retries = Array.from({ length: 16 }, () => answerOnce(request, execute, () => ({ status: 409, body: "" })));
    // The executing retry answers only after all others have ended.
    let ended = 0;
    for (const retry of retries) {
      const count = () => {
        ended += 1;
        if (ended === retries.length - 1) finish();
      };
      retry.then(count, count);
    }
    expect(sort(await Promise.allSettled(retries))).toEqual({ firsts: 1, bodies: 1, others: [] });
    expect(executions).toBe(1);
  });
});

describe("an answer", () => {
  const refused = (code: ConstructorParameters<typeof ServiceError>[0]) =>
    answerOnce(
      keyed(merchant, "k"),
      async () => {
        throw new ServiceError(code, "no");
      },
      () => ({ status: 409, body: "stored" }),
    );

  it.each(["duplicate_merchant_reference", "approval_required", "insufficient_balance"] as const)(
    "%s is stored, and replayed even after its cause is resolved",
    async (code) => {
      await expect(refused(code)).rejects.toMatchObject({ code });
      expect(await createUnder("k", payment(), "POST /x\n{}")).toEqual({ status: 409, body: "stored", replayed: true });
    },
  );

  it.each(["validation_failed", "not_found", "rate_limited", "service_unavailable", "internal_error"] as const)(
    "%s is not stored: the key remains unused",
    async (code) => {
      await expect(refused(code)).rejects.toMatchObject({ code });
      expect(await countRows("idempotency_key", merchant.merchantId)).toBe(0);
      expect(await createUnder("k", payment(), "POST /x\n{}")).toMatchObject({ status: 201, replayed: false });
    },
  );

  it("for our own fault after the key was taken releases the key", async () => {
    const broken = answerOnce(
      keyed(merchant, "k"),
      async (lease) => {
        await lease.take();
        throw new Error("a fault of ours");
      },
      () => ({ status: 500, body: "" }),
    );
    await expect(broken).rejects.toThrow("a fault of ours");
    expect(await createUnder("k", payment(), "POST /x\n{}")).toMatchObject({ status: 201, replayed: false });
  });

  it("that is not stored leaves the key free for another request, even after the key was taken", async () => {
    const refused = answerOnce(
      keyed(merchant, "k"),
      async (lease) => {
        await lease.take();
        throw validationError("outcome", "does not apply");
      },
      () => ({ status: 400, body: "" }),
    );
    await expect(refused).rejects.toMatchObject({ code: "validation_failed" });
    expect(await createUnder("k", payment(), "POST /other\n{}")).toMatchObject({ status: 201, replayed: false });
  });

  it("for our own fault after the object was created resumes that object at once", async () => {
    const broken = once<PaymentIntent>(keyed(merchant, "k"), async (idempotency) => {
      const request = keyed(merchant, "k");
      await createPaymentIntent(merchant.context, payment({ amount: "1003" }), idempotency);
      throw new Error(`a fault of ours under ${request.key}`);
    });
    await expect(broken).rejects.toThrow("a fault of ours");
    const [made] = await query<{ id: string }>(
      "SELECT id FROM payment_intent WHERE merchant_id = $1",
      merchant.merchantId,
    );
    const retry = await createUnder("k", payment(), "POST /x\n{}");
    expect(retry.body).toContain(made?.id);
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
  });

  it("for an invalid repeat comes only after the check of the key", async () => {
    await createUnder("k", payment(), "POST /x\n{}");
    const invalid = (content: string) =>
      answerOnce(
        keyed(merchant, "k", content),
        async () => {
          throw validationError("amount", "is required");
        },
        () => ({ status: 400, body: "" }),
      );
    expect(await invalid("POST /x\n{}")).toMatchObject({ status: 201, replayed: true });
    await expect(invalid('POST /x\n{"a":1}')).rejects.toMatchObject({ code: "idempotency_conflict" });
  });

  it("is a stored text, not the request: no account number can be in it", async () => {
    const command = payout();
    await once(keyed(merchant, "k", `POST /payout_intents\n${JSON.stringify(command)}`), (idempotency) =>
      createPayoutIntent(merchant.context, command, idempotency),
    );
    const rows = await query<{ text: string }>(
      "SELECT k::text || coalesce(s::text, '') AS text FROM idempotency_key k LEFT JOIN idempotency_seal s USING (merchant_id, api_key_id, key) WHERE merchant_id = $1",
      merchant.merchantId,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain("123456789");
  });
});
