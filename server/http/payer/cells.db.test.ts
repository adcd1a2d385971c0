// The payer's page and its routes for payments of two cells, answered by one process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { type CellsOfTest, openCellsWithMerchants, type Resident, whileAway } from "@/server/db/testing/residents";
import { inCell, inEachCell } from "@/server/platform/cell";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { getIntent } from "@/server/services/intents/read";
import { createPaymentIntent } from "@/server/services/payments/create";
import { PAYMENTS } from "@/server/services/payments/kind";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { payment } from "@/server/testing/merchant";
import { payerDecisionAnswer, payerLogoAnswer, payerQrAnswer, payerStateAnswer } from "./answers";
import { payerPage } from "./page";

let cells: CellsOfTest;
let ids: ReadonlyMap<Resident, string>;

beforeAll(async () => {
  cells = await openCellsWithMerchants("test");
});

beforeEach(async () => {
  const made = [cells.ours, cells.theirs].map(async (resident) => {
    const create = () => createPaymentIntent(resident.merchant.context, payment(), withoutIdempotency());
    return [resident, (await inCell(resident.cell, create)).intent.id] as const;
  });
  ids = new Map(await Promise.all(made));
});

afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const idOf = (resident: Resident) => ids.get(resident) ?? "";
const get = (id: string) => new Request(`http://localhost/pay/${id}`);

function decide(id: string, outcome = "succeeded"): Promise<Response> {
  const headers = { "sec-fetch-site": "same-origin", accept: "application/json" };
  const request = new Request(`http://localhost/pay/${id}/decide`, {
    method: "POST",
    headers,
    body: `outcome=${outcome}`,
  });
  return payerDecisionAnswer(request, id);
}

/** All that is public under a payment's id. */
const ROUTES: Readonly<Record<string, (id: string) => Promise<Response>>> = {
  state: (id) => payerStateAnswer(get(id), id),
  "qr.png": (id) => payerQrAnswer(get(id), id, "png"),
  "qr.svg": (id) => payerQrAnswer(get(id), id, "svg"),
  "logo.png": (id) => payerLogoAnswer(get(id), id),
  decide: (id) => decide(id),
};

/** Status and body without the id of the request. */
async function comparable(answer: Response): Promise<readonly [number, string]> {
  return [answer.status, (await answer.text()).replaceAll(/req_[0-9a-z]{26}/g, "req")];
}

const statusOf = async (resident: Resident) =>
  (await inCell(resident.cell, () => getIntent(PAYMENTS, resident.merchant.scope, idOf(resident)))).status;

describe("under a payment's id", () => {
  it("everything is answered from the cell of its tag, in both cells at once", async () => {
    const use = async (resident: Resident) => {
      const id = idOf(resident);
      expect(await payerPage(id)).toMatchObject({ id, amount: "1050" });
      const routes = ["state", "qr.png", "qr.svg"].map(async (name) => (await ROUTES[name]?.(id))?.status);
      expect(await Promise.all(routes)).toEqual([200, 200, 200]);
      expect((await decide(id)).status).toBe(200);
      expect(await statusOf(resident)).toBe("succeeded");
      expect(await (await payerStateAnswer(get(id), id)).json()).toMatchObject({ isEnded: true });
    };
    await Promise.all([use(cells.ours), use(cells.theirs)]);
  });

  it.each(Object.entries(ROUTES))("%s answers a forged tag as an unknown payment", async (_name, route) => {
    const theirs = idOf(cells.theirs);
    const ours = idOf(cells.ours);
    const unknown = await comparable(await route("dord_01h455vb4pex5vsknk084sn02q"));
    expect(unknown[0]).toBe(404);
    const forged = [
      theirs.replace(/^(dord_.{11})e2/, "$1zz"),
      theirs.replace(/^(dord_.{11})e2/, "$1E2"),
      theirs.replace(/^(dord_.{10})[gh]e2/, "$1e00"),
      ours.replace(/^(dord_.{10}).../, "$1ge2"),
      theirs.toUpperCase(),
      `${theirs}x`,
    ];
    for (const id of forged) expect([id, await comparable(await route(id))]).toEqual([id, unknown]);
    for (const id of forged) expect(await payerPage(id)).toBeNull();
    expect(await Promise.all([cells.ours, cells.theirs].map(statusOf))).toEqual(["requires_action", "requires_action"]);
  });

  it("a cell that is away answers 503, and the other cell's payers pay meanwhile", async () => {
    await whileAway(cells, async () => {
      for (const route of Object.values(ROUTES)) {
        const answer = await route(idOf(cells.theirs));
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
      }
      expect((await decide(idOf(cells.ours))).status).toBe(200);
    });
    expect(await statusOf(cells.theirs)).toBe("requires_action");
    expect((await decide(idOf(cells.theirs))).status).toBe(200);
    expect(await Promise.all([cells.ours, cells.theirs].map(statusOf))).toEqual(["succeeded", "succeeded"]);
    expect(await inCell(cells.second, () => countRows("exception", cells.theirs.merchant.merchantId))).toBe(0);
  });
});
