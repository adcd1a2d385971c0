// A cell that is away affects its merchants alone, also after merchants have moved: decision 79.
import { expect, it, vi } from "vitest";
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
import type * as CellsOfLines from "../reconciliation/cells-of-lines";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { rememberDevice } from "../sign-in/known-device";
import { signIn } from "../sign-in/sign-in";
import { call } from "./testing/api-call";
import { eu2, eu3, main, makePaid, move, sql, threeCells } from "./testing/three-cells";

/** What happens between the look for the cells of lines and the import. */
const meanwhile = vi.hoisted(() => ({ comesBack: async () => {} }));
vi.mock("../reconciliation/cells-of-lines", async (original) => {
  const own = await original<typeof CellsOfLines>();
  const cellsOfLines: typeof own.cellsOfLines = async (...given) => {
    const found = await own.cellsOfLines(...given);
    await meanwhile.comesBack();
    return found;
  };
  return { ...own, cellsOfLines };
});

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

it("a merchant is found beyond a cell that is away, where this process has followed it before", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  const id = await pay(merchant);
  await move(merchant.merchantId, eu2());
  await move(merchant.merchantId, eu3());
  const isFound = async () => (await getPayerView(id)).id === id;
  expect(await isFound()).toBe(true);
  // The first cell, then the one in the middle, then the first again.
  for (const addresses of [[AWAY], [null, AWAY], [AWAY]]) {
    await cells.pointTo(addresses);
    expect(await isFound()).toBe(true);
  }
});

it("lines that wait for a cell are not stored there if it comes back during the import", async () => {
  const merchant = await inCell(main(), () => makeMerchant());
  await move(merchant.merchantId, eu2());
  const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
  const day = new Date(Date.now() - 3_600_000).toISOString();
  const unknown = "dord_01h455vb4pex5vsknk084sn02r";
  const bytes = new TextEncoder().encode(`${header}\nl-${unknown},payment,${unknown},p,1050,BRL,0,${day},b\n`);
  const file = { provider: "sandbox", environment: "test", name: "f.csv", bytes, from: null, to: null } as const;
  meanwhile.comesBack = cells.pointTo;
  await withoutEu2();
  expect((await reconcile(file)).failedCells).toEqual(["eu2"]);
  meanwhile.comesBack = async () => {};
  const lines = () => sql(eu2(), "SELECT verdict FROM settlement_line WHERE reference = $1", unknown);
  expect(await lines()).toEqual([]);
  expect((await reconcile(file)).failedCells).toEqual([]);
  expect([
    await lines(),
    await sql(main(), "SELECT verdict FROM settlement_line WHERE reference = $1", unknown),
  ]).toEqual([[], [{ verdict: "missing_internal" }]]);
});
