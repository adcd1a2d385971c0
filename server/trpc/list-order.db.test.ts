// Tests the dashboard's two orders: each list in both, page by page, without mixing their cursors.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { createTopupIntent } from "@/server/services/topups/create";
import { makeMerchant, payment, payout } from "@/server/testing/merchant";
import { createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

const LISTS = ["paymentIntents", "payoutIntents", "topupIntents"] as const;
const TEST = { environment: "test" } as const;
const ASCENDING = { ...TEST, sort: "created_at" } as const;
const DESCENDING = { ...TEST, sort: "-created_at" } as const;
const FOREIGN = { code: "BAD_REQUEST", message: "cursor is not a cursor of this list" };
const COUNT = 5;

let dashboard: ReturnType<typeof createCaller>;

beforeAll(async () => {
  const merchant = await makeMerchant(["BRL", "USDT"]);
  const { context, merchantId } = merchant;
  for (let number = 0; number < COUNT; number += 1) {
    await createPaymentIntent(context, payment(), withoutIdempotency());
    await createPayoutIntent(context, payout(), withoutIdempotency());
    const topup = {
      destination: { amount: "100000", currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: "tron" },
      country: "BR",
      merchantReference: null,
    } as const;
    await createTopupIntent(context, topup, withoutIdempotency());
  }
  const { id } = merchant.byMember().actor;
  const member = {
    id,
    email: "a@shop.example",
    roles: ["owner"],
    testRoles: null,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: newId("session"), member, mustEnrol: false };
  dashboard = createCaller({ session, requestId: newId("request"), address: null, language: inEnglish });
});
afterAll(() => disconnect());

describe.each(LISTS)("%s", (name) => {
  /** The ids of all pages of two rows, in order. */
  async function walk(input: typeof ASCENDING | typeof DESCENDING | typeof TEST): Promise<string[]> {
    const ids: string[] = [];
    let place: { cursor?: string } = {};
    for (;;) {
      const page = await dashboard[name].list({ ...input, ...place, limit: "2" });
      ids.push(...page.data.map(({ id }) => id));
      if (page.next_cursor === null) return ids;
      place = { cursor: page.next_cursor };
    }
  }

  it("is read oldest first as the reverse, page by page, and newest first by default", async () => {
    const ids = await walk(TEST);
    expect(ids).toHaveLength(COUNT);
    expect(await walk(DESCENDING)).toEqual(ids);
    expect(await walk(ASCENDING)).toEqual([...ids].reverse());
  });

  it("rejects cursors of the other order, and accepts those of newest first with or without its name", async () => {
    const cursorOf = async (input: typeof ASCENDING | typeof DESCENDING) =>
      (await dashboard[name].list({ ...input, limit: "2" })).next_cursor ?? "";
    const [ascending, descending] = [await cursorOf(ASCENDING), await cursorOf(DESCENDING)];
    const read = async (input: object, cursor: string) => dashboard[name].list({ ...TEST, ...input, cursor });
    await expect(read(DESCENDING, ascending)).rejects.toMatchObject(FOREIGN);
    await expect(read({}, ascending)).rejects.toMatchObject(FOREIGN);
    await expect(read(ASCENDING, descending)).rejects.toMatchObject(FOREIGN);
    expect((await read({}, descending)).data).toHaveLength(COUNT - 2);
    expect((await read(ASCENDING, ascending)).data).toHaveLength(COUNT - 2);
  });

  it("has no other order", async () => {
    const read = dashboard[name].list({ ...TEST, sort: "amount" as never });
    await expect(read).rejects.toMatchObject({ code: "BAD_REQUEST", message: expect.stringMatching(/^sort must be/) });
  });
});
