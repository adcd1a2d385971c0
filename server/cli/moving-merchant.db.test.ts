// Commands of the operator about a merchant that moves or has moved: what they say they have done must be done.
import { beforeEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import type * as ApiKeys from "@/server/db/api-keys";
import type * as Erasure from "@/server/db/payer-erasure";
import type * as Suspense from "@/server/db/suspense";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import { inCell } from "@/server/platform/cell";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { eu2, main, makePaid, move, sql, threeCells } from "@/server/services/moves/testing/three-cells";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { simulate } from "@/server/services/sandbox/simulate";
import { makeMember, makeMerchant, payment, payout } from "@/server/testing/merchant";

/** What happens between a command's look for its merchant and its first write, and after its look for money in suspense. */
const meanwhile = vi.hoisted(() => ({ run: async () => {}, afterLook: async () => {} }));

/** The same work, before which that happens, once. */
function afterMeanwhile<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
  return async (...given: Given): Promise<Result> => {
    const { run } = meanwhile;
    meanwhile.run = async () => {};
    await run();
    return work(...given);
  };
}

vi.mock("@/server/db/payer-erasure", async (original) => {
  const own = await original<typeof Erasure>();
  return { ...own, erasePayer: afterMeanwhile(own.erasePayer) };
});
vi.mock("@/server/db/api-keys", async (original) => {
  const own = await original<typeof ApiKeys>();
  return { ...own, revokeApiKeysOf: afterMeanwhile(own.revokeApiKeysOf) };
});
vi.mock("@/server/db/suspense", async (original) => {
  const own = await original<typeof Suspense>();
  const findSuspenseBookings = afterMeanwhile(async (...given: Parameters<typeof own.findSuspenseBookings>) => {
    const found = await own.findSuspenseBookings(...given);
    await meanwhile.afterLook();
    return found;
  });
  return { ...own, findSuspenseBookings };
});

threeCells();
beforeEach(() => {
  meanwhile.run = async () => {};
  meanwhile.afterLook = async () => {};
});

type Said = Awaited<ReturnType<typeof runCommand>>;
const failed = (said: Said) => "code" in said;

it("payers erase does not say that it is done after the merchant has moved away", async () => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const customer = { name: "Ana", email: "ana@example.com", reference: "C-1" };
  const pay = () => createPaymentIntent(context, { ...payment(), customer }, withoutIdempotency());
  const { intent } = await inCell(main(), pay);
  await inCell(main(), () => simulate(context, intent.id, "succeeded"));
  meanwhile.run = async () => {
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  };
  const erase = () => runCommand("payers", "erase", "--merchant", merchantId, "--email", customer.email);
  const payers = () =>
    sql(eu2(), "SELECT id FROM payment_intent WHERE merchant_id = $1 AND customer IS NOT NULL", merchantId);
  expect([await erase(), await payers()]).toEqual([
    expect.objectContaining({ code: "service_unavailable" }),
    [expect.anything()],
  ]);
  expect([failed(await erase()), await payers()]).toEqual([false, []]);
});

it("keys revoke-all revokes the keys of a merchant that closes", async () => {
  const merchantId = await makePaid();
  meanwhile.run = () => fence(main(), merchantId, "closing", eu2());
  const said = await runCommand("keys", "revoke-all", "--merchant", merchantId, "--environment", "test");
  await unfence(main(), merchantId);
  const valid = "SELECT id FROM api_key WHERE merchant_id = $1 AND environment = 'test' AND revoked_at IS NULL";
  expect([failed(said), await sql(main(), valid, merchantId)]).toEqual([false, []]);
});

it("a merchant that closes can be suspended, one that is closed is not said to be unknown", async () => {
  const merchantId = await makePaid();
  const suspend = () => runCommand("merchants", "suspend", "--merchant", merchantId, "--reason", "Suspected fraud");
  await fence(main(), merchantId, "leaving", eu2());
  expect(await suspend()).toMatchObject({ code: "service_unavailable" });
  await fence(main(), merchantId, "closing", eu2());
  expect(failed(await suspend())).toBe(false);
  await unfence(main(), merchantId);
});

it.each(["approve", "cancel"])("payouts %s finds a payout that was made before the move", async (verb) => {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const email = `${verb}@shop.example`;
  const { id } = await inCell(main(), async () => {
    await makeMember(merchantId, email, "approver");
    return (await createPayoutIntent(context, payout(), withoutIdempotency())).intent;
  });
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const named = ["--id", id, "--as", email, "--merchant", merchantId];
  expect(await runCommand("payouts", verb, ...named)).not.toHaveProperty("code");
});

/** A payment whose money came late, and is in suspense. */
async function latePayment() {
  const { merchantId, context } = await inCell(main(), () => makeMerchant());
  const email = "finance@shop.example";
  await inCell(main(), async () => {
    await makeMember(merchantId, email, "finance");
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    for (const outcome of ["expired", "succeeded"]) await simulate(context, intent.id, outcome);
  });
  const [exception] = await sql(main(), "SELECT id FROM exception WHERE merchant_id = $1", merchantId);
  return { merchantId, email, exception: String(exception?.["id"]) };
}

it("money in suspense is not overlooked while the merchant closes, and opens again", async () => {
  const { merchantId, email, exception } = await latePayment();
  meanwhile.run = () => fence(main(), merchantId, "closing", eu2());
  meanwhile.afterLook = () => unfence(main(), merchantId);
  const resolve = ["--id", exception, "--as", email, "--resolution", "Done."];
  expect(await runCommand("exceptions", "resolve", ...resolve)).toMatchObject({ code: "validation_failed" });
  const [row] = await sql(main(), "SELECT resolved_at FROM exception WHERE id = $1", exception);
  expect(row).toEqual({ resolved_at: null });
});

it("lists of a merchant that closes are not empty, and its members are known", async () => {
  const { merchantId, email } = await latePayment();
  const of = ["--merchant", merchantId];
  const entry =
    "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 7";
  await runCommand("journal", "propose", ...of, ...entry.split(" "), "--evidence", "Seen.", "--operator", "Eva");
  await fence(main(), merchantId, "closing", eu2());
  const lists = [await runCommand("exceptions", "list", ...of), await runCommand("journal", "list", ...of)];
  const renamed = await runCommand("members", "set-name", ...of, "--email", email, "--name", "Fi");
  await unfence(main(), merchantId);
  expect(lists).toMatchObject([{ data: [expect.anything()] }, { data: [expect.anything()] }]);
  expect(failed(renamed)).toBe(false);
});
