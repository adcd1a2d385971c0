// Creating payouts: funds are held once, account numbers never stored in plain text, repeats recognized.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { ServiceError } from "@/server/domain/errors";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, keyed, makeMerchant, OPENING, once, payout, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { openAccount } from "../account-numbers";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { setAccountChecks } from "../merchants/account-checks";
import { cancelPayoutIntent } from "./cancel";
import { type CreatePayout, createPayoutIntent } from "./create";
import { PAYOUTS } from "./kind";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN", "USDT"]);
});
afterEach(requireInvariants);

const create = (command = payout()) => createPayoutIntent(merchant.context, command, withoutIdempotency());

function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
  return promise.then(
    () => Promise.reject(new Error("nothing was refused")),
    (error: unknown) => error as ServiceError,
  );
}

/** Returns the whole database as one text. */
async function dump(): Promise<string> {
  const tables = await queryAsOwner<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      queryAsOwner<{ text: string | null }>(`SELECT string_agg(t::text, '\n') AS text FROM "${name}" t`),
    ),
  );
  return texts
    .flat()
    .map(({ text }) => text ?? "")
    .join("\n");
}

describe("a merchant whose accounts are checked", () => {
  const pesos = { currency: "MXN", country: "MX" } as const;
  const to = (accountNumber: string, bankCode = "032"): CreatePayout => {
    const command = payout(pesos);
    return { ...command, recipient: { ...command.recipient, accountNumber, bankCode } };
  };

  it("cannot pay to wrong check digits or another bank's code; nothing is written or held", async () => {
    const before = await balanceOf(merchant, "MXN");
    await setAccountChecks(merchant.merchantId, true);
    expect(await refusalOf(create(to("032180000118359718")))).toMatchObject({
      code: "validation_failed",
      message: "recipient.account_number is not a valid CLABE: check its digits",
    });
    expect(await refusalOf(create(to("032180000118359719", "012")))).toMatchObject({
      message: "recipient.bank_code is not the bank of the CLABE, which begins with 032",
    });
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(0);
    expect(await balanceOf(merchant, "MXN")).toEqual(before);
    expect((await create(to("032180000118359719"))).completion).toBe("created");
  });

  it("gets an earlier payout again by its reference, also if its account would be rejected now", async () => {
    const command = to("032180000118359718");
    const { intent } = await create(command);
    await setAccountChecks(merchant.merchantId, true);
    expect(await create(command)).toMatchObject({ completion: "repeated", intent: { id: intent.id } });
  });

  it("has an audit entry of each change, and none for what it is already", async () => {
    for (const checked of [true, true, false]) await setAccountChecks(merchant.merchantId, checked);
    const actions = await query<{ before: unknown; after: unknown }>(
      "SELECT before, after FROM audit_entry WHERE merchant_id = $1 AND action = 'merchant.set_account_checks' ORDER BY id",
      merchant.merchantId,
    );
    expect(actions).toEqual([
      { before: { checks_accounts: false }, after: { checks_accounts: true } },
      { before: { checks_accounts: true }, after: { checks_accounts: false } },
    ]);
  });
});

describe("funds", () => {
  it("are held on creation, at the gate", async () => {
    const { intent, completion } = await create();
    expect([completion, intent.status, intent.approvalsRequired]).toEqual(["created", "requires_approval", 1]);
    expect(await balanceOf(merchant)).toEqual([OPENING - 25_000n, 25_000n]);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(0);
  });

  it("for 10 of 100 simultaneous payouts admit exactly 10", async () => {
    const amount = (OPENING / 10n).toString();
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => create(payout({ amount }))));
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as ServiceError] : []));
    expect(refused).toHaveLength(90);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["insufficient_balance"]));
    expect(await balanceOf(merchant)).toEqual([0n, OPENING]);
  });

  it("released by a cancellation can be held again", async () => {
    const first = await create(payout({ amount: OPENING.toString() }));
    expect((await refusalOf(create(payout({ amount: "1" })))).code).toBe("insufficient_balance");
    await cancelPayoutIntent(merchant.context, { id: first.intent.id, reason: null }, withoutIdempotency());
    expect((await create(payout({ amount: OPENING.toString() }))).completion).toBe("created");
  });

  it("are not held for a live payout that no provider offers", async () => {
    const live = { ...merchant.context, scope: { ...merchant.scope, environment: "live" as const } };
    const refusal = await refusalOf(createPayoutIntent(live, payout(), withoutIdempotency()));
    expect(refusal.code).toBe("validation_failed");
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(0);
  });
});

describe("a repeated merchant reference", () => {
  it("50 times at once holds the funds once and returns 50 equal ids", async () => {
    const command = payout();
    const done = await Promise.all(Array.from({ length: 50 }, () => create(command)));
    expect(new Set(done.map(({ intent }) => intent.id)).size).toBe(1);
    expect(await balanceOf(merchant)).toEqual([OPENING - 25_000n, 25_000n]);
  });

  it("of a payout that emptied the wallet is a repeat, not a lack of funds, also when simultaneous", async () => {
    const command = payout({ amount: OPENING.toString() });
    const done = await Promise.all(Array.from({ length: 20 }, () => create(command)));
    expect(done.map(({ completion }) => completion).sort()).toEqual(["created", ...Array<string>(19).fill("repeated")]);
    expect((await refusalOf(create({ ...command, country: "MX" }))).code).toBe("duplicate_merchant_reference");
  });

  it("returns the original in its current state, also if cancelled", async () => {
    const command = payout();
    const { intent } = await create(command);
    await cancelPayoutIntent(merchant.context, { id: intent.id, reason: "why" }, withoutIdempotency());
    const again = await create(command);
    expect([again.completion, again.intent.id, again.intent.status]).toEqual(["repeated", intent.id, "cancelled"]);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });

  it.each<[string, (command: CreatePayout) => CreatePayout]>([
    ["amount", (command) => ({ ...command, amount: "25001" })],
    ["currency", (command) => ({ ...command, currency: "MXN" })],
    ["country", (command) => ({ ...command, country: "MX" })],
    ["recipient.bank_code", (command) => ({ ...command, recipient: { ...command.recipient, bankCode: "002" } })],
    ["recipient.holder_name", (command) => ({ ...command, recipient: { ...command.recipient, holderName: "Ana" } })],
    [
      "recipient.account_number",
      (command) => ({ ...command, recipient: { ...command.recipient, accountNumber: "0002-123456789" } }),
    ],
  ])("with another %s is rejected; the error names the field and no value", async (field, change) => {
    const command = payout();
    await create(command);
    expect(await refusalOf(create(change(command)))).toMatchObject({
      code: "duplicate_merchant_reference",
      message: `merchant_reference was used with a different ${field}.`,
    });
  });
});

describe("an account number", () => {
  it("is not in the database as plain text, shows its last four digits, and is decrypted only for dispatch", async () => {
    const number = "DE89370400440532013000";
    const recipient = { type: "bank_account" as const, accountNumber: number, bankCode: "001", holderName: "Ana" };
    const command = payout({ recipient });
    const answer = await once(keyed(merchant, "k", JSON.stringify(command)), (idempotency) =>
      createPayoutIntent(merchant.context, command, idempotency),
    );
    const intent = await getIntent(PAYOUTS, merchant.scope, (JSON.parse(answer.body) as { id: string }).id);
    await cancelPayoutIntent(merchant.context, { id: intent.id, reason: "why" }, withoutIdempotency());
    const everything = await dump();
    expect(everything).toContain(intent.id);
    expect(everything).not.toContain(number.slice(0, 12));
    expect(everything).not.toContain(number.slice(6));
    expect(intent.recipient.accountLast4).toBe("3000");
    expect(openAccount(intent)).toBe(number);
  });

  it("is encrypted for its own row: another payout's ciphertext does not decrypt there", async () => {
    const [first, second] = [await create(), await create()];
    expect(first.intent.account.sealed).not.toBe(second.intent.account.sealed);
    expect(first.intent.account.digest).toBe(second.intent.account.digest);
    expect(() => openAccount({ ...first.intent, account: second.intent.account })).toThrow(Error);
  });

  it("of two merchants cannot be linked by its digest", async () => {
    const other = await makeMerchant();
    const [mine, theirs] = [await create(), await createPayoutIntent(other.context, payout(), withoutIdempotency())];
    expect(mine.intent.account.digest).not.toBe(theirs.intent.account.digest);
  });
});

it.each([
  ["a currency that is not enabled", { currency: "JPY" }, "currency is not enabled"],
  ["too many digits for an ISO currency", { amount: "1".repeat(16) }, "amount has too many digits"],
])("%s is rejected and holds nothing", async (_what, change, message) => {
  const refusal = await refusalOf(create(payout(change)));
  expect([refusal.code, refusal.message.includes(message)]).toEqual(["validation_failed", true]);
  expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
});

it("an amount of 30 digits exceeds the wallet, not the database's range", async () => {
  const refusal = await refusalOf(create(payout({ currency: "USDT", amount: "9".repeat(30) })));
  expect(refusal.code).toBe("insufficient_balance");
});
