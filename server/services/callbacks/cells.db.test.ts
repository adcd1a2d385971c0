// Providers' callbacks about merchants of two cells, received and applied by one process.
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { type CellsOfTest, openCellsWithMerchants, type Resident, whileAway } from "@/server/db/testing/residents";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { handleApiRequest } from "@/server/http/handler";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId, tagOfId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { ONE_REFERENCE_FOR_ALL, requireInvariantsExcept } from "@/server/testing/invariants";
import { payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { applyDueCallbacks } from "./receive-callback";
import { cellOfCallback } from "./store";

const SECRET = "a secret of at least thirty-two characters";
/** Providers that cannot be reached: reports arrive as callbacks only. */
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };
const test = {
  environments: ["test"],
  webhook_secrets: ["whsec_0123456789abcdef0123456789"],
  url: "http://127.0.0.1:9",
};
const KEYED = [
  { ...test, name: "stripe", type: "stripe", account: "acct_1", secret_key: `sk_test_${"0".repeat(24)}` },
  { ...test, name: "paystack", type: "paystack", account: "12", secret_key: `sk_test_${"0".repeat(40)}` },
  {
    environments: test.environments,
    url: test.url,
    name: "xendit",
    type: "xendit",
    account: "5f27a14a9bf05c73dd040bc8",
    secret_key: `xnd_development_${"a1B2+/".repeat(6)}==`,
    webhook_tokens: ["t0123456789abcdef0123456789"],
  },
  {
    ...test,
    name: "btcpay",
    type: "btcpay",
    account: "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776",
    secret_key: "ab".repeat(20),
    topups: [{ source: "BTC", destination: "EUR" }],
  },
  {
    ...test,
    name: "dlocal",
    type: "dlocal",
    account: "sak223k2wdksdl2",
    trans_key: "fm12O7G9",
    secret_key: "S3cr3t0123456789abcdefABCDEF",
  },
];

let cells: CellsOfTest;
let ours: Resident;
let theirs: Resident;
let intents: ReadonlyMap<Resident, PaymentIntent>;

beforeAll(async () => {
  configureGateways(JSON.stringify([ACME, ...KEYED]));
  configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
  cells = await openCellsWithMerchants("live");
  ({ ours, theirs } = cells);
});

beforeEach(async () => {
  const made = [ours, theirs].map(async (resident) => {
    const create = () => createPaymentIntent(resident.merchant.context, payment(), withoutIdempotency());
    return [resident, (await inCell(resident.cell, create)).intent] as const;
  });
  intents = new Map(await Promise.all(made));
});

afterAll(async () => {
  await inEachCell(() => requireInvariantsExcept(ONE_REFERENCE_FOR_ALL));
  configureGateways(null);
  configureRoutes(null);
  await disconnect();
  await cells.end();
});

const intentOf = (resident: Resident) => intents.get(resident) as PaymentIntent;
const otherThan = ({ cell }: Resident): Cell => (cell.tag === "" ? cells.second : cells.first);

function bodyOf(resident: Resident, changes: object = {}): string {
  const { id, merchantId } = intentOf(resident);
  const report = { status: "succeeded", amount: "1050", currency: "BRL", provider_reference: `psp-${id}` };
  return JSON.stringify({ callback_id: newId("event"), merchant_id: merchantId, reference: id, ...report, ...changes });
}

/** Sends a signed callback over the API; returns the status and the headers of the answer. */
async function send(body: string, secret = SECRET) {
  const message = { method: "POST", path: "/providers/acme/callbacks", body };
  const headers = new Headers(signedHeaders(secret, message, new Date()));
  const peer = { address: "192.0.2.1", duplicateHeaders: [] };
  const readBody = () => Promise.resolve(Buffer.from(body));
  const answer = await handleApiRequest({ method: "POST", target: message.path, headers, peer, readBody });
  return { status: answer.status, headers: answer.headers, body: answer.body };
}

const apply = () => inEachCell(() => applyDueCallbacks(1_000, 30_000));

const statusOf = async (resident: Resident) => {
  const { scope } = resident.merchant;
  return (await inCell(resident.cell, () => getIntent(PAYMENTS, scope, intentOf(resident).id))).status;
};

/** The results of the stored callbacks with this text in their bodies. */
async function resultsIn(cell: Cell, text: string): Promise<(string | null)[]> {
  const sql = "SELECT result FROM provider_callback WHERE strpos(body, $1) > 0 ORDER BY result";
  return (await inCell(cell, () => query<{ result: string | null }>(sql, text))).map(({ result }) => result);
}

describe("a callback", () => {
  it("is stored and applied in the cell of its merchant, in both cells at once", async () => {
    const answers = await Promise.all([ours, theirs].map((resident) => send(bodyOf(resident))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await apply();
    for (const resident of [ours, theirs]) {
      expect(await statusOf(resident)).toBe("succeeded");
      expect(await resultsIn(resident.cell, intentOf(resident).id)).toEqual(["applied"]);
      expect(await resultsIn(otherThan(resident), intentOf(resident).id)).toEqual([]);
    }
  });

  it("that comes again is one callback, also with the same id for a merchant of each cell", async () => {
    const callback_id = newId("event");
    const bodies = [ours, theirs].map((resident) => bodyOf(resident, { callback_id }));
    for (const body of [...bodies, ...bodies]) expect((await send(body)).status).toBe(200);
    await apply();
    for (const resident of [ours, theirs]) {
      expect(await statusOf(resident)).toBe("succeeded");
      expect(await resultsIn(resident.cell, callback_id)).toEqual(["applied"]);
    }
  });

  it("about one cell's intent with the merchant of the other moves neither, as for a foreign intent of one cell", async () => {
    for (const [resident, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const { id } = intentOf(other);
      expect((await send(bodyOf(resident, { reference: id }))).status).toBe(200);
      await apply();
      // The intent might still come: a worker tries again for a while.
      expect(await resultsIn(resident.cell, id)).toEqual([null]);
      const last =
        "UPDATE provider_callback SET attempts = 100, due_at = now() - interval '1 second' WHERE due_at IS NOT NULL";
      await inCell(resident.cell, () => query(last));
      await apply();
      expect(await resultsIn(resident.cell, id)).toEqual(["unmatched"]);
      expect(await resultsIn(other.cell, `"reference":"${id}"`)).toEqual([]);
      expect(await statusOf(other)).toBe("processing");
      const sql = "SELECT merchant_id FROM exception WHERE detail->>'reference' = $1";
      expect(await inCell(resident.cell, () => query(sql, id))).toEqual([
        { merchant_id: resident.merchant.merchantId },
      ]);
    }
  });

  it.each<[string, (id: string) => string]>([
    ["the tag of no cell", (id) => id.replace(/^(mer_.{11})e2/, "$1zz")],
    ["no tag", (id) => id.replace(/^(mer_.{10})[gh]e2/, "$1e00")],
    ["its tag in another case", (id) => id.replace(/^(mer_.{11})e2/, "$1E2")],
    ["an empty name", () => ""],
  ])("about a merchant with %s is kept for the operator, as one about an unknown merchant", async (_what, forge) => {
    const { id, merchantId } = intentOf(theirs);
    expect(tagOfId(merchantId)).toBe("e2");
    expect(forge(merchantId)).not.toBe(merchantId);
    const answer = await send(bodyOf(theirs, { merchant_id: forge(merchantId), reference: id }));
    const unknown = await send(bodyOf(ours, { merchant_id: "mer_01h455vb4pex5vsknk084sn02q" }));
    expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body]);
    await apply();
    expect(await statusOf(theirs)).toBe("processing");
    expect(await resultsIn(cells.first, id)).toHaveLength(forge(merchantId) === "" ? 0 : 1);
  });

  it("with a wrong signature is refused alike in both cells, and stored in none", async () => {
    for (const resident of [ours, theirs]) {
      expect((await send(bodyOf(resident), "another secret of thirty-two characters")).status).toBe(401);
      expect(await inEachCell((cell) => resultsIn(cell, intentOf(resident).id))).toEqual([[], []]);
    }
  });

  it("of a cell that is away is answered 503 until it returns; the other cell's is taken", async () => {
    const body = bodyOf(theirs);
    await whileAway(cells, async () => {
      const [lost, taken] = await Promise.all([send(body), send(bodyOf(ours))]);
      expect([lost.status, lost.headers["retry-after"]]).toEqual([503, "1"]);
      expect(taken.status).toBe(200);
    });
    expect((await send(body)).status).toBe(200);
    await apply();
    expect(await Promise.all([ours, theirs].map(statusOf))).toEqual(["succeeded", "succeeded"]);
    expect(await resultsIn(cells.second, intentOf(theirs).id)).toEqual(["applied"]);
  });
});

describe("a callback that names only our reference", () => {
  /** How each adapter's body names it. */
  const BODIES: Readonly<Record<string, (reference: string) => object>> = {
    stripe: (reference) => ({
      id: "evt_1",
      object: "event",
      type: "charge.succeeded",
      data: { object: { metadata: { sluice_reference: reference } } },
    }),
    paystack: (reference) => ({
      event: "charge.success",
      data: { reference: reference.startsWith("dord_") ? reference.replaceAll("_", "-") : reference },
    }),
    xendit: (reference) => ({ event: "payment.succeeded", data: { reference_id: reference } }),
    btcpay: (reference) => ({
      deliveryId: "d1",
      type: "InvoiceSettled",
      storeId: "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776",
      metadata: { orderId: reference },
    }),
    dlocal: (reference) => ({ id: "D-4", order_id: reference }),
  };
  const cellOf = (provider: string, body: object) =>
    cellOfCallback({ provider, callbackId: "one", body: JSON.stringify(body) }).name;

  it("is tried for each adapter that does so", () => {
    expect(KEYED.map(({ name }) => name).sort()).toEqual(Object.keys(BODIES).sort());
  });

  it.each(Object.entries(BODIES))("finds its cell at %s, by an id as by a derived reference", (provider, naming) => {
    const names = [
      ["dord_01h455vb4pge2vsknk084sn02q", "eu2"],
      ["word_ak5221mv_ue27a7v2053dg5hdmy5tnbg2q4", "eu2"],
      ["dord_ak5221mv_ue27a7v2053dg5hdmy5tnbg2q4", "eu2"],
      ["dord_01h455vb4pex5vsknk084sn02q", "main"],
      ["word_ak5221mv_01h455vb4pge2vsknk084sn02q", "main"],
      ["dord_01h455vb4pgzzvsknk084sn02q", "main"],
    ] as const;
    for (const [reference, name] of names)
      expect([reference, cellOf(provider, naming(reference))]).toEqual([reference, name]);
  });

  it.each(Object.keys(BODIES))("and none, or cannot be read, is the first cell's at %s", (provider) => {
    for (const body of [{}, [], { event: 7 }]) expect(cellOf(provider, body)).toBe("main");
  });

  it("is stored in that cell, and its worker finds the merchant", async () => {
    const { id } = intentOf(theirs);
    const body = JSON.stringify(BODIES["paystack"]?.(id));
    const signature = createHmac("sha512", `sk_test_${"0".repeat(40)}`)
      .update(body)
      .digest("hex");
    const headers = new Headers({ "x-paystack-signature": signature });
    const peer = { address: "192.0.2.1", duplicateHeaders: [] };
    const readBody = () => Promise.resolve(Buffer.from(body));
    const target = "/providers/paystack/callbacks";
    expect((await handleApiRequest({ method: "POST", target, headers, peer, readBody })).status).toBe(200);
    const sql = "SELECT FROM provider_callback WHERE provider = 'paystack' AND body = $1";
    expect(await inEachCell(async () => (await query(sql, body)).length)).toEqual([0, 1]);
  });
});
