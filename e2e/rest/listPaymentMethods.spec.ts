// GET /payment_methods, an extension: exactly the methods that the merchant can use now.
import type { PaymentMethodList } from "@/server/contract/wallets";
import { bodyOf, createPayment } from "./calls";
import { expect, test } from "./parties";

const PATH = "/payment_methods";

test.describe("200", () => {
  test("a method is listed when its currency is enabled, and each listed one can be used", async ({ api }) => {
    const { data } = bodyOf<PaymentMethodList>(await api.get(PATH), 200);
    expect(data.map(({ code }) => code).sort()).toEqual(["BR_BOLETO", "BR_PIX", "MX_CODI", "MX_OXXO", "MX_SPEI"]);
    for (const { code, country, currency, next_action_type, minimum_amount, maximum_amount } of data) {
      expect(BigInt(maximum_amount)).toBeGreaterThan(BigInt(minimum_amount));
      const intent = await createPayment(api, { payment_method: code, country, currency, amount: maximum_amount });
      expect(intent.next_action?.type).toBe(next_action_type);
    }
  });

  test("without a provider for the environment no method is offered", async ({ liveApi }) => {
    expect(bodyOf<PaymentMethodList>(await liveApi.get(PATH), 200).data).toEqual([]);
  });
});
