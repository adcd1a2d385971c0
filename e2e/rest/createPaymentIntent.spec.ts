// POST /payment_intents (interface §4.1), by status code.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { OVERLAPPING } from "../support/recorded-answers";
import { paymentBody, unused } from "./bodies";
import { bodyOf, createPayment, createPayout, createTopup, read, refusalOf, simulate, statusesOf } from "./calls";
import { attemptsOf } from "./database";
import { expect, test } from "./parties";

const PATH = "/payment_intents";

test.describe("201", () => {
  test("a valid body creates an intent that shows every documented field, and awaits the payer", async ({ api }) => {
    const body = paymentBody();
    const answer = await api.post(PATH, body);
    const intent = bodyOf<PaymentIntentResource>(answer, 201);
    const { merchant_reference, ...sums } = body;
    expect(intent).toMatchObject({ object: "payment_intent", environment: "test", merchant_reference, ...sums });
    expect(intent).toMatchObject({ status: "requires_action", failure_code: null, failure_message: null });
    expect(Object.keys(intent)).toEqual([
      "object",
      "id",
      "amount",
      "currency",
      "country",
      "environment",
      "status",
      "merchant_reference",
      "payment_method",
      "next_action",
      "failure_code",
      "failure_message",
      "created_at",
      "updated_at",
    ]);
    expect(intent.id).toMatch(/^dord_[0-9a-z]{26}$/);
    expect(await read(api, intent.id)).toEqual(intent);
  });

  test("the answer has its request id, version and type, and is never cached", async ({ api }) => {
    const { headers } = await api.post(PATH, paymentBody());
    expect(headers.get("request-id")).toMatch(/^req_[0-9a-z]{26}$/);
    expect(headers.get("api-version")).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("idempotent-replayed")).toBeNull();
  });

  for (const [payment_method, currency, type] of [
    ["BR_PIX", "BRL", "display_qr_code"],
    ["BR_BOLETO", "BRL", "redirect_to_url"],
    ["MX_SPEI", "MXN", "display_bank_transfer_instructions"],
  ] as const) {
    test(`${payment_method} requires ${type} of the customer, with a time limit in the future`, async ({ api }) => {
      const country = payment_method.slice(0, 2);
      const { next_action } = await createPayment(api, { payment_method, currency, country });
      expect(next_action?.type).toBe(type);
      expect(Date.parse(next_action?.expires_at ?? "")).toBeGreaterThan(Date.now());
    });
  }

  test("the smallest and the largest amount of a method are accepted to the unit", async ({ api }) => {
    expect((await createPayment(api, { amount: "1" })).amount).toBe("1");
    expect((await createPayment(api, { amount: "1000000000" })).amount).toBe("1000000000");
  });

  test("a reference of 255 code points is stored byte for byte", async ({ api }) => {
    const merchant_reference = unused("😀").padEnd(256, "é");
    expect([...merchant_reference]).toHaveLength(255);
    expect((await createPayment(api, { merchant_reference })).merchant_reference).toBe(merchant_reference);
  });

  test("references that differ in case, or in a trailing space, are different orders", async ({ api }) => {
    const merchant_reference = unused("Order");
    const spellings = [merchant_reference, merchant_reference.toLowerCase(), `${merchant_reference} `];
    const intents = await Promise.all(spellings.map((one) => createPayment(api, { merchant_reference: one })));
    expect(new Set(intents.map(({ id }) => id)).size).toBe(3);
  });

  test("members unknown to the interface are ignored: a body cannot choose its environment", async ({ api }) => {
    const answer = await api.post(PATH, { ...paymentBody(), environment: "live", status: "succeeded", id: "dord_x" });
    expect(bodyOf<PaymentIntentResource>(answer, 201)).toMatchObject({
      environment: "test",
      status: "requires_action",
    });
  });

  test("a query parameter is ignored and named", async ({ api }) => {
    const answer = await api.post(`${PATH}?environment=live`, paymentBody());
    expect(bodyOf<PaymentIntentResource>(answer, 201).environment).toBe("test");
    expect(answer.headers.get("ignored-parameters")).toBe("environment");
  });

  test("customer details are accepted and appear in no answer", async ({ api }) => {
    const customer = { name: "Canary Customer", email: "canary@example.com", reference: "canary-77" };
    const answer = await api.post(PATH, paymentBody({ customer }));
    expect(bodyOf<PaymentIntentResource>(answer, 201).status).toBe("requires_action");
    expect(answer.text).not.toMatch(/canary/i);
  });
});

test.describe("texts for the payer", () => {
  const TEXTS = { description: "Dois ingressos, fila 7", return_url: "https://shop.example/orders/1001?from=pay" };

  test("a description and a return URL are shown by every answer, and only where they were given", async ({ api }) => {
    const intent = await createPayment(api, TEXTS);
    expect(intent).toMatchObject(TEXTS);
    expect(await read(api, intent.id)).toMatchObject(TEXTS);
    expect(await createPayment(api, { description: TEXTS.description })).not.toHaveProperty("return_url");
  });

  test("other texts do not turn a repeat into a conflict, and change nothing", async ({ api }) => {
    const body = { ...paymentBody(), ...TEXTS };
    const original = bodyOf<PaymentIntentResource>(await api.post(PATH, body), 201);
    const repeat = await api.post(PATH, { ...body, description: "Three", return_url: "https://other.example/" });
    expect(bodyOf(repeat, 200)).toEqual(original);
  });

  for (const [return_url, reason] of [
    ["javascript:alert(1)", "absolute https URL"],
    ["https://shop.example@evil.example/", "user name or password"],
    ["https://shop.example\\@evil.example/", "backslashes"],
  ] as const) {
    test(`${return_url} is refused as a return URL`, async ({ api }) => {
      const refusal = refusalOf(await api.post(PATH, { ...paymentBody(), return_url }), 400);
      expect(refusal).toMatchObject({ code: "validation_failed" });
      expect(refusal.message).toMatch(new RegExp(`^return_url .*${reason}`));
    });
  }

  test("a live payment does not lead its payer to a page without TLS; a test payment may", async ({ api, liveApi }) => {
    const return_url = "http://localhost:3000/orders/1";
    expect((await createPayment(api, { return_url })).return_url).toBe(return_url);
    const refusal = refusalOf(await liveApi.post(PATH, { ...paymentBody(), return_url }), 400);
    expect(refusal.message).toBe("return_url must be https with a live key");
  });
});

test.describe("200", () => {
  test("a repeated reference returns the original without another call to a provider", async ({ api, database }) => {
    const body = paymentBody();
    const original = bodyOf<PaymentIntentResource>(await api.post(PATH, body), 201);
    expect(bodyOf(await api.post(PATH, body), 200)).toEqual(original);
    expect(await attemptsOf(database, original.id)).toBe(1);
  });

  test("the original is returned in its current state, even after its end", async ({ api }) => {
    const body = paymentBody();
    const { id } = bodyOf<PaymentIntentResource>(await api.post(PATH, body), 201);
    const ended = await simulate<PaymentIntentResource>(api, id, "succeeded");
    expect(bodyOf(await api.post(PATH, body), 200)).toEqual(ended);
  });

  test("a corrected customer does not turn a repeat into a conflict", async ({ api }) => {
    const body = paymentBody({ customer: { name: "Ana" } });
    const { id } = bodyOf<PaymentIntentResource>(await api.post(PATH, body), 201);
    const repeat = await api.post(PATH, { ...body, customer: { name: "Anna", email: "anna@example.com" } });
    expect(bodyOf<PaymentIntentResource>(repeat, 200).id).toBe(id);
  });

  test("50 equal creations at once leave one row, one provider call, and 50 equal ids", {
    tag: OVERLAPPING,
  }, async ({ api, database }) => {
    const body = paymentBody();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post(PATH, body)));
    const ids = new Set(answers.map((answer) => (answer.body as PaymentIntentResource).id));
    expect(ids.size).toBe(1);
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 49 }, () => 200), 201]);
    const rows = await database.query<{ id: string }>(
      "SELECT id FROM payment_intent WHERE merchant_reference = $1",
      body.merchant_reference,
    );
    expect(rows.map(({ id }) => id)).toEqual([...ids]);
    expect(await attemptsOf(database, [...ids][0] ?? "")).toBe(1);
  });
});

test.describe("other merchant, other kind", () => {
  test("another merchant's equal reference is a separate order", async ({ api, strangerApi }) => {
    const merchant_reference = unused("shared");
    const [ours, theirs] = await Promise.all(
      [api, strangerApi].map((one) => createPayment(one, { merchant_reference })),
    );
    expect(ours?.id).not.toBe(theirs?.id);
  });

  test("a reference is unique per kind of intent, so a payment, a payout and a top-up may share it", async ({
    api,
  }) => {
    const merchant_reference = unused("shared");
    await createPayment(api, { merchant_reference });
    await createPayout(api, { merchant_reference });
    await createTopup(api, { merchant_reference });
  });
});

test.describe("400", () => {
  const invalid: readonly (readonly [string, object, RegExp])[] = [
    ["a missing amount", { amount: undefined }, /^amount is required/],
    ["a numeric amount", { amount: 1050 }, /^amount /],
    ["an amount of zero", { amount: "0" }, /^amount /],
    ["an amount above the method's bound", { amount: "1000000001" }, /^amount /],
    ["a currency that is not enabled", { currency: "JPY", country: "JP", payment_method: "JP_KONBINI" }, /^currency /],
    ["a method of another country", { country: "MX" }, /^payment_method /],
    ["a currency that is not the method's", { currency: "MXN" }, /^currency /],
    ["a method outside the catalogue", { payment_method: "BR_NOTHING" }, /^payment_method /],
    ["an empty reference", { merchant_reference: "" }, /^merchant_reference /],
    ["a reference of 256 code points", { merchant_reference: "x".repeat(256) }, /^merchant_reference /],
    ["a customer that is a list", { customer: [] }, /^customer /],
  ];
  for (const [what, changes, message] of invalid) {
    test(`${what} is rejected with the field's name, and leaves no row`, async ({ api, database }) => {
      const body = { ...paymentBody(), ...changes };
      const refusal = refusalOf(await api.post(PATH, body), 400);
      expect(refusal.code).toBe("validation_failed");
      expect(refusal.message).toMatch(message);
      const rows = await database.query(
        "SELECT FROM payment_intent WHERE merchant_reference = $1",
        body.merchant_reference,
      );
      expect(rows).toHaveLength(0);
    });
  }
});

test.describe("other environment", () => {
  test("without a provider for live no method is offered, and a live order is rejected", async ({ liveApi }) => {
    const refusal = refusalOf(await liveApi.post(PATH, paymentBody()), 400);
    expect(refusal.message).toMatch(/^payment_method is not offered/);
  });
});

test.describe("409", () => {
  for (const [field, changes] of [
    ["amount", { amount: "2050" }],
    ["currency", { currency: "MXN", country: "MX", payment_method: "MX_CODI" }],
    ["payment_method", { payment_method: "BR_BOLETO" }],
  ] as const) {
    test(`a reference reused with another ${field} is rejected by that name, and the original stays`, async ({
      api,
    }) => {
      const body = paymentBody();
      const original = bodyOf<PaymentIntentResource>(await api.post(PATH, body), 201);
      const refusal = refusalOf(await api.post(PATH, { ...body, ...changes }), 409);
      expect(refusal.code).toBe("duplicate_merchant_reference");
      expect(refusal.message).toContain(field);
      expect(refusal.message).not.toContain(original.amount);
      expect(refusal.message).not.toContain(original.payment_method);
      expect(await read(api, original.id)).toEqual(original);
    });
  }
});
