// GET /payment_intents, an extension with the parameters of interface §4.4 and payment_method.
import { unused } from "./bodies";
import { createPayment, refusalOf, simulate } from "./calls";
import { describeListRules, idsOf } from "./list-rules";
import { expect, test } from "./parties";

const PATH = "/payment_intents";

describeListRules({
  path: PATH,
  create: (api, merchant_reference) => createPayment(api, { merchant_reference }),
  statuses: ["requires_action", "succeeded", "processing", "failed", "expired"],
});

test.describe("200: of payments alone", () => {
  test("payment_method filters the list", async ({ api }) => {
    const merchant_reference = unused("method");
    const { id } = await createPayment(api, { merchant_reference });
    const find = async (method: string) =>
      idsOf(await api.get(`${PATH}?merchant_reference=${merchant_reference}&payment_method=${method}`));
    expect(await find("BR_PIX")).toEqual([id]);
    expect(await find("BR_BOLETO")).toEqual([]);
    expect(refusalOf(await api.get(`${PATH}?payment_method=pix`), 400).message).toMatch(/^payment_method /);
  });

  test("a listed intent equals the resource that reading it returns, and follows its status", async ({ api }) => {
    const merchant_reference = unused("same");
    const { id } = await createPayment(api, { merchant_reference });
    const ended = await simulate(api, id, "succeeded");
    const find = (status: string) => api.get(`${PATH}?merchant_reference=${merchant_reference}&status=${status}`);
    expect(idsOf(await find("requires_action"))).toEqual([]);
    expect((await find("succeeded")).body).toMatchObject({ data: [ended] });
  });
});
