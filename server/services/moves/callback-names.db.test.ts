// A callback that waits for an operator moves with its merchant to a cell where its name is that of a neighbor's: providers that
// number callbacks per merchant use one id for several.
import { beforeEach, expect, it } from "vitest";
import { claimDueCallbacksAcrossMerchants, setCallbackAsideAcrossMerchants } from "@/server/db/callbacks";
import { callbackName, unappliedCallbackException } from "@/server/domain/callback";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { withinMerchant } from "@/server/platform/reach";
import { requireInvariants } from "@/server/testing/invariants";
import { applyCallbackAgain } from "../callbacks/apply-again";
import { callbackOf, type StoredCallback } from "../callbacks/find";
import { requireException } from "../exceptions/decide";
import { configureAcme, makeReportedPayment, type ReportedPayment } from "./testing/reported-payment";
import { eu2, killedAt, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

threeCells();
configureAcme();

const UNAPPLIED = { reason: "failing", reference: null, intentId: null, why: "a fault of this release" } as const;

let reported: ReportedPayment;
/** A callback of the neighbor in eu2 has the same name. */
let neighborId: string;

beforeEach(async () => {
  reported = await makeReportedPayment();
  await reported.send();
  await setAside();
  neighborId = await makeOne(eu2());
  await storeUnapplied(eu2(), neighborId, reported.callbackId);
});

/** Stores a callback about a merchant that waits for an operator, with its exception. */
async function storeUnapplied(cell: Cell, merchantId: string, callbackId: string): Promise<void> {
  await sql(
    cell,
    `INSERT INTO provider_callback (provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at)
     VALUES ('acme', $1, $2, now(), NULL, 16, 'failing', now(), NULL)`,
    callbackId,
    JSON.stringify({ callback_id: callbackId, merchant_id: merchantId, reference: newId("paymentIntent") }),
  );
  const { kind, objectId, fact, detail } = unappliedCallbackException({ provider: "acme", callbackId }, UNAPPLIED);
  await sql(
    cell,
    `INSERT INTO exception (merchant_id, id, environment, kind, object_id, fact, detail, opened_at)
     VALUES ($1, $2, 'live', $3, $4, $5, $6, now())`,
    merchantId,
    newId("exception"),
    kind,
    objectId,
    fact,
    detail,
  );
}

/** The merchant's callback waits for an operator, with an exception of the merchant. */
async function setAside(): Promise<void> {
  const { merchantId, callbackId } = reported;
  await inCell(main(), async () => {
    const claimed = await claimDueCallbacksAcrossMerchants(1_000, 30_000);
    const callback = claimed.find((one) => one.callbackId === callbackId);
    if (!callback) throw new Error("the callback was not claimed");
    const opening = {
      ...unappliedCallbackException(callback, UNAPPLIED),
      scope: { merchantId, environment: "live" as const },
    };
    await setCallbackAsideAcrossMerchants(callback, "failing", opening, new Date());
  });
}

/** A callback's name, and the merchant that it names. */
const whose = (callback: StoredCallback) => ({
  name: callbackName(callback),
  of: (JSON.parse(callback.body) as { readonly merchant_id: string }).merchant_id,
});

/** Of a merchant's exception: whether it is open, and the callback as its members see it. */
async function exceptionIn(cell: Cell, merchantId: string) {
  const [row] = await sql(cell, "SELECT id FROM exception WHERE merchant_id = $1", merchantId);
  return inCell(cell, () =>
    withinMerchant(merchantId, async () => {
      const exception = await requireException({ merchantId, environment: "live" }, String(row?.["id"]));
      const shown = await callbackOf(exception).then(whose, (error: Error) => error.message);
      return { isOpen: exception.resolvedAt === null, shown };
    }),
  );
}

const shownIn = async (cell: Cell) => (await exceptionIn(cell, reported.merchantId)).shown;

/** In the new cell, the callback has the next free name, and is applied there; that of the neighbor stays as it is. */
async function requireApplied(): Promise<void> {
  const { merchantId, callbackId, statusIn } = reported;
  const name = `acme/${callbackId}~2`;
  expect(await shownIn(eu2())).toEqual({ name, of: merchantId });
  await inEachCell(requireInvariants);
  expect(await inCell(eu2(), () => applyCallbackAgain(name))).toMatchObject({ why: null });
  expect(await statusIn(eu2())).toBe("succeeded");
  const ofNeighbor = { name: `acme/${callbackId}`, of: neighborId };
  expect(await exceptionIn(eu2(), merchantId)).toMatchObject({ isOpen: false });
  expect(await exceptionIn(eu2(), neighborId)).toEqual({ isOpen: true, shown: ofNeighbor });
  await inEachCell(requireInvariants);
}

it("a callback gets another name there, which its exception knows", async () => {
  expect(await move(reported.merchantId, eu2())).toMatchObject({ phase: "done" });
  await requireApplied();
});

it("a callback keeps that name when the merchant goes back, and on the next way there", async () => {
  const { merchantId, callbackId } = reported;
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  expect(await shownIn(main())).toEqual({ name: `acme/${callbackId}~2`, of: merchantId });
  await inEachCell(requireInvariants);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await requireApplied();
});

it("a merchant's members are not shown the neighbor's while the move is not over", async () => {
  const { merchantId } = reported;
  await killedAt(/AS exceptions FROM exception/, merchantId, eu2());
  expect(await shownIn(eu2())).toBe("There is no such callback.");
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await requireApplied();
});

it("a callback is stored once by a move that is killed before it ends in the old cell", async () => {
  const { merchantId, callbackId } = reported;
  await killedAt(/UPDATE provider_callback SET result = 'handed_over'/, merchantId, eu2());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const named = "SELECT callback_id AS id FROM provider_callback WHERE starts_with(callback_id, $1) ORDER BY 1";
  expect(await sql(eu2(), named, callbackId)).toEqual([{ id: callbackId }, { id: `${callbackId}~2` }]);
  await requireApplied();
});

it("a callback does not get the name of another callback of the merchant that goes along", async () => {
  const { merchantId, callbackId } = reported;
  await storeUnapplied(main(), merchantId, `${callbackId}~2`);
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const named = await sql(
    eu2(),
    `SELECT x.detail ->> 'callback' AS name FROM exception x
     JOIN provider_callback c ON c.provider || '/' || c.callback_id = x.detail ->> 'callback'
       AND c.body::jsonb ->> 'merchant_id' = x.merchant_id
     WHERE x.merchant_id = $1 ORDER BY 1`,
    merchantId,
  );
  expect(named.map(({ name }) => name)).toEqual([`acme/${callbackId}~2`, `acme/${callbackId}~3`]);
  await inEachCell(requireInvariants);
});
