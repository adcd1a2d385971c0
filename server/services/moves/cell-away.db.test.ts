// A cell that is away affects its merchants alone, also after merchants have moved: decision 79.
import { expect, it } from "vitest";
import { inCell, inEachCell } from "@/server/platform/cell";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { forgetApiKey } from "../api-keys/authenticate";
import { createApiKey } from "../api-keys/create";
import { withoutIdempotency } from "../idempotency/completion";
import { addMember } from "../members/manage";
import { operatorContext } from "../merchants/operator";
import { asServiceError } from "../outage";
import { getPayerView } from "../payer/get-payer-view";
import { createPaymentIntent } from "../payments/create";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { rememberDevice } from "../sign-in/known-device";
import { signIn } from "../sign-in/sign-in";
import { call } from "./testing/api-call";
import { eu2, eu3, main, makePaid, move, threeCells } from "./testing/three-cells";

const cells = threeCells();

const AWAY = "postgresql://nobody:x@127.0.0.1:1/none";
const withoutEu2 = () => cells.pointTo([null, AWAY]);

const pay = ({ context }: TestMerchant) =>
  inCell(main(), async () => {
    const { id } = (await createPaymentIntent(context, payment(), withoutIdempotency())).intent;
    await simulate(context, id, "succeeded");
    return id;
  });

it("a settlement file is imported for the cells that answer, and its other lines wait", async () => {
  const [moving, neighbor] = [await inCell(main(), () => makeMerchant()), await inCell(main(), () => makeMerchant())];
  const ids = [await pay(moving), await pay(neighbor)];
  await move(moving.merchantId, eu2());
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const lines = ids.map((id) => `l-${id},payment,${id},p-${id},1050,BRL,0,${day},b`);
  const bytes = new TextEncoder().encode([header, ...lines, ""].join("\n"));
  const run = async () => {
    const file = { provider: "sandbox", environment: "test", name: "f.csv", bytes, from: null, to: null } as const;
    const done = await reconcile(file);
    return [done.failedCells, done.lines.map(({ line, verdict }) => [line.reference, verdict])];
  };
  await withoutEu2();
  expect(await run()).toEqual([["eu2"], [[ids[1], "matched"]]]);
  await cells.pointTo();
  expect(await run()).toEqual([[], ids.map((id) => [id, "matched"])]);
});

it("a merchant that moved to a third cell is served while the cell that another one moved to is away", async () => {
  const other = await makePaid();
  const merchant = await inCell(main(), () => makeMerchant());
  const key = await inCell(main(), () => createApiKey(merchant.context, "Key"));
  const id = await pay(merchant);
  await move(merchant.merchantId, eu3());
  await move(other, eu2());
  await withoutEu2();
  await inEachCell(async () => forgetApiKey(key.publicKey));
  expect((await getPayerView(id)).id).toBe(id);
  expect((await call(key, { method: "GET", path: "/wallets" })).status).toBe(200);
  // It may be the other merchant's, so nobody can say that it does not exist.
  const unknown = await getPayerView("dord_01h455vb4pex5vsknk084sn02q").catch(asServiceError);
  expect(unknown).toMatchObject({ code: "service_unavailable" });
});

it("while the first cell is away, members who have moved sign in with a password in a browser in which they did before", async () => {
  const { merchantId } = await inCell(main(), () => makeMerchant());
  const email = `ana@${merchantId.replace("_", "-")}.example`;
  const password = "correct horse battery";
  const context = operatorContext(merchantId, "test");
  const id = await inCell(main(), () => addMember(context, { email, roles: ["owner"] }, password));
  await move(merchantId, eu2());
  const device = await inCell(eu2(), () => rememberDevice({ id, merchantId }, null));
  await cells.pointTo([AWAY]);
  const enter = (known: typeof device) => signIn({ email, password, address: "192.0.2.9", device: known });
  expect(await enter(device)).toMatchObject({ id });
  expect(await enter(null).catch(asServiceError)).toMatchObject({ code: "service_unavailable" });
});
