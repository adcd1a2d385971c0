// GET /topup_intents (interface §4.5).
import { unused } from "./bodies";
import { createTopup, refusalOf } from "./calls";
import { describeListRules, idsOf } from "./list-rules";
import { expect, test } from "./parties";

const PATH = "/topup_intents";

describeListRules({
  path: PATH,
  create: (api, merchant_reference) => createTopup(api, { merchant_reference }),
  statuses: ["requires_payment", "succeeded", "processing", "failed", "expired"],
});

test.describe("200: of top-ups alone", () => {
  test("source_type filters the list by one of three kinds", async ({ api }) => {
    const merchant_reference = unused("source");
    const { id } = await createTopup(api, { merchant_reference });
    const find = async (type: string) =>
      idsOf(await api.get(`${PATH}?merchant_reference=${merchant_reference}&source_type=${type}`));
    expect(await find("provider_gateway")).toEqual([id]);
    expect(await find("bank_transfer")).toEqual([]);
    expect(await find("manual")).toEqual([]);
    expect(refusalOf(await api.get(`${PATH}?source_type=crypto`), 400).message).toMatch(/^source_type /);
  });

  test("the currency filter applies to what the wallet receives", async ({ api }) => {
    const merchant_reference = unused("currency");
    const { id } = await createTopup(api, { merchant_reference });
    const find = async (currency: string) =>
      idsOf(await api.get(`${PATH}?merchant_reference=${merchant_reference}&currency=${currency}`));
    expect(await find("BRL")).toEqual([id]);
    expect(await find("USDT")).toEqual([]);
  });
});
