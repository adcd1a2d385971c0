// Limits of payouts, set by the operator.
import { payoutBody, unused } from "./bodies";
import { bodyOf, refusalOf, walletOf } from "./calls";
import { expect, test } from "./parties";

test("of 30 payouts sent at once against a limit for 10, exactly 10 are created", async ({
  api,
  ownMerchant,
  command,
}) => {
  const { publicKey } = ownMerchant.keys.test;
  const limits = ["--currency", "BRL", "--public-key", publicKey, "--amount", "1000", "--day", "10000"];
  await command("payout-limits", "set", "--merchant", ownMerchant.id, "--environment", "test", ...limits);
  const before = await walletOf(api, "BRL");
  const body = () => payoutBody({ amount: "1000" });
  const answers = await Promise.all(Array.from({ length: 30 }, () => api.post("/payout_intents", body())));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  const [refused] = answers.filter(({ status }) => status !== 201);
  if (!refused) throw new Error("nothing was refused");
  expect(refusalOf(refused, 422).code).toBe("payout_limit_exceeded");
  expect(bodyOf<{ data: object[] }>(await api.get("/payout_intents"), 200).data).toHaveLength(10);
  expect(await walletOf(api, "BRL")).toEqual({ available: before.available - 10_000n, held: before.held + 10_000n });
});

test("a refused payout is answered the same under its key", async ({ api, ownMerchant, command }) => {
  const limits = ["--currency", "BRL", "--amount", "1000"];
  await command("payout-limits", "set", "--merchant", ownMerchant.id, "--environment", "test", ...limits);
  const body = payoutBody({ amount: "1001" });
  const headers = { "idempotency-key": unused("key") };
  const first = await api.post("/payout_intents", body, { headers });
  const again = await api.post("/payout_intents", body, { headers });
  expect([refusalOf(first, 422), refusalOf(again, 422)].map(({ code }) => code)).toEqual(
    Array(2).fill("payout_limit_exceeded"),
  );
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});
