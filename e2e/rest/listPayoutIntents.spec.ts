// GET /payout_intents (interface §4.4).
import { unused } from "./bodies";
import { cancelPayout, createPayout } from "./calls";
import { describeListRules, idsOf } from "./list-rules";
import { expect, test } from "./parties";

const PATH = "/payout_intents";

describeListRules({
  path: PATH,
  create: (api, merchant_reference) => createPayout(api, { merchant_reference }),
  statuses: ["requires_approval", "cancelled", "processing", "succeeded", "failed"],
});

test.describe("200: of payouts alone", () => {
  test("a payout moves from one status filter to the other when it is cancelled", async ({ api }) => {
    const merchant_reference = unused("moves");
    const { id } = await createPayout(api, { merchant_reference });
    const find = async (status: string) =>
      idsOf(await api.get(`${PATH}?merchant_reference=${merchant_reference}&status=${status}`));
    expect(await find("requires_approval")).toEqual([id]);
    await cancelPayout(api, id);
    expect(await find("requires_approval")).toEqual([]);
    expect(await find("cancelled")).toEqual([id]);
  });
});
