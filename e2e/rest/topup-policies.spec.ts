// Top-ups that are not paid as quoted: what the merchant sees under each policy, and how an operator's command moves
// money out of suspense.
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { Api } from "../support/api";
import { createTopup, simulate, walletOf } from "./calls";
import { expect, test } from "./parties";

// Each of these runs several commands, each as a process.
test.describe.configure({ timeout: 360_000 });

type Topup = TopupIntentResource;
interface Listed {
  readonly data: readonly { readonly id: string; readonly kind: string; readonly detail: Record<string, string> }[];
}

const topup = (api: Api, amount: string) => createTopup(api, { destination: { amount, currency: "BRL" } });

/** The final state of a top-up, and what it adds to the wallet on the way. */
async function course(api: Api, amount: string, ...outcomes: string[]): Promise<readonly [Topup, bigint]> {
  const before = await walletOf(api, "BRL");
  const { id } = await topup(api, amount);
  let end: Topup | null = null;
  for (const outcome of outcomes) end = await simulate<Topup>(api, id, outcome);
  if (!end) throw new Error("nothing happened");
  return [end, (await walletOf(api, "BRL")).available - before.available];
}

for (const policy of ["credit_actual", "hold", "refund"] as const) {
  test(`07, 08, 09 under ${policy}: late, partial and excess money is credited or held as the policy states`, async ({
    api,
    ownMerchant,
    command,
  }) => {
    const words = ["--overpayment", "--underpayment", "--late-payment"].flatMap((option) => [option, policy]);
    const merchant = ["--merchant", ownMerchant.id, "--environment", "test"];
    expect(await command("topup-terms", "set", ...merchant, ...words)).toMatchObject({ late_payment: policy });
    const isCredited = policy === "credit_actual";

    const [late, gainedLate] = await course(api, "10007", "expired");
    expect(late).toMatchObject({ status: "expired", failure_code: "expired", destination: { credited_amount: "0" } });
    expect(gainedLate).toBe(isCredited ? 10_007n : 0n);

    const [part, gainedPart] = await course(api, "10008", "succeeded", "expired");
    expect(part).toMatchObject(
      isCredited ? { status: "succeeded", failure_code: null } : { status: "failed", failure_code: "underpaid" },
    );
    expect(part.next_action).toMatchObject({ amount: "0" });
    expect(gainedPart).toBe(BigInt(part.destination.credited_amount));
    expect(gainedPart > 0n).toBe(isCredited);

    const [over, gainedOver] = await course(api, "10009", "succeeded");
    expect(over.status).toBe("succeeded");
    expect(gainedOver).toBe(BigInt(over.destination.credited_amount));
    expect(gainedOver > 10_009n).toBe(isCredited);
    expect(gainedOver >= 10_009n).toBe(true);

    const { data } = (await command("exceptions", "list", "--open", "--merchant", ownMerchant.id)) as Listed;
    const told = data.map(({ kind, detail }) => `${kind} ${detail.policy}`);
    const kept = [`late_money ${policy}`, `amount_mismatch ${policy}`, `amount_mismatch ${policy}`];
    expect(told, "the oldest first").toEqual(isCredited ? [] : kept);
  });
}

test("held money is credited by a member's decision, and the exception records it", async ({
  api,
  ownMerchant,
  command,
}) => {
  const as = "finance@newcomer.example";
  const person = ["--email", as, "--roles", "finance"];
  await command("members", "create", "--merchant", ownMerchant.id, ...person);
  await course(api, "10007", "expired");
  const { data } = (await command("exceptions", "list", "--open", "--merchant", ownMerchant.id)) as Listed;
  const before = (await walletOf(api, "BRL")).available;
  const decision = ["--id", data[0]?.id ?? "", "--as", as, "--money", "credit"];
  expect(await command("exceptions", "settle", ...decision)).toMatchObject({
    kind: "late_money",
    settled_as: "credit",
    resolution: "Credited to the wallet.",
  });
  expect((await walletOf(api, "BRL")).available).toBe(before + 10_007n);
});

test("funds that drop out of the chain reopen a top-up in progress, and leave a credited one unchanged", async ({
  api,
}) => {
  const { id, next_action } = await topup(api, "10000");
  expect(await simulate<Topup>(api, id, "funds_seen")).toMatchObject({
    status: "processing",
    next_action: { ...next_action, amount: "0" },
  });
  expect(await simulate<Topup>(api, id, "funds_dropped")).toMatchObject({
    status: "requires_payment",
    next_action,
  });
  const paid = await simulate<Topup>(api, id, "succeeded");
  expect(paid).toMatchObject({ status: "succeeded", destination: { credited_amount: "10000" } });
  const wallet = await walletOf(api, "BRL");
  expect(await simulate<Topup>(api, id, "funds_dropped")).toEqual(paid);
  expect(await walletOf(api, "BRL")).toEqual(wallet);
});
