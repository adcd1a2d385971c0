// A line about another merchant's intent, which a merchant uploaded before it moved.
import { expect, it } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import type { CallContext } from "@/server/domain/scope";
import { inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const MONEY =
  "--environment test --from provider_clearing --to available --provider sandbox --currency BRL --amount 1050 --operator Eva --evidence seen";

const paidBy = (merchant: Awaited<ReturnType<typeof makeMerchant>>) =>
  inCell(main(), async () => {
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    await simulate(merchant.context, intent.id, "succeeded");
    return intent.id;
  });

it.each(["stays", "has moved"])("is not booked for it, also as further money: it %s", async (where) => {
  const theirs = await inCell(main(), () => makeMerchant());
  const ours = await inCell(main(), () => makeMerchant());
  const reference = await paidBy(theirs);
  await paidBy(ours);
  const { merchantId, context } = ours;
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const text = `${HEADER}\nl-${reference},payment,${reference},p-${reference},1050,BRL,0,${day},b\n`;
  await inCell(main(), async () => {
    const member = await makeMember(merchantId, `finance-${reference}@shop.example`, "finance");
    const of: CallContext = { ...context, actor: { type: "member", id: member } };
    await withinMerchant(merchantId, async () => {
      const file = { provider: "sandbox", name: "m.csv", text };
      const { digest } = await previewUpload(of, file);
      return storeUpload(of, { ...file, digest });
    });
  });
  const home = where === "has moved" ? eu2() : main();
  if (where === "has moved") await move(merchantId, eu2());
  const open = "SELECT id FROM exception WHERE object_id = $1 AND merchant_id = $2 AND resolved_at IS NULL";
  const [missing] = await sql(home, open, reference, merchantId);
  const about = ["--merchant", merchantId, "--exception", String(missing?.["id"]), "--additional"];
  const proposed = await runCommand("journal", "propose", ...MONEY.split(" "), ...about);
  if (typeof proposed["id"] === "string")
    await runCommand("journal", "confirm", "--id", proposed["id"], "--operator", "Ole");
  const booked = "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason = 'journal'";
  expect({ code: proposed["code"], booked: await sql(home, booked, merchantId) }).toEqual({
    code: "validation_failed",
    booked: [],
  });
});
