// REST requests of merchants in two cells, answered by one process.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { clearCaches } from "@/server/db/testing/failing-statements";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "@/server/db/testing/second-cell";
import { statementsOf } from "@/server/db/testing/statement-texts";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { tagOfId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { flushApiLog } from "@/server/services/api-logs/record";
import { addressOf } from "@/server/testing/databases";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, OPENING, type TestMerchant } from "@/server/testing/merchant";
import { handleApiRequest } from "./handler";

interface Caller {
  readonly cell: Cell;
  readonly merchant: TestMerchant;
  readonly key: CreatedKey;
}

const PEER = { address: "192.0.2.1", duplicateHeaders: [] };
let cells: TwoCells;
let ours: Caller;
let theirs: Caller;

async function makeCaller(cell: Cell): Promise<Caller> {
  return inCell(cell, async () => {
    const merchant = await makeMerchant();
    return { cell, merchant, key: await createApiKey(merchant.context, "Key") };
  });
}

beforeAll(async () => {
  cells = await openTwoCells();
  ours = await makeCaller(cells.first);
  theirs = await makeCaller(cells.second);
});

afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

let keys = 0;

async function call(pair: Pick<CreatedKey, "publicKey" | "secretKey">, method: string, path: string, body?: object) {
  keys += 1;
  const credentials = Buffer.from(`${pair.publicKey}:${pair.secretKey}`).toString("base64");
  const headers = new Headers({
    authorization: `Basic ${credentials}`,
    "content-type": "application/json",
    ...(method === "POST" && { "idempotency-key": `cells-${keys}` }),
  });
  const readBody = () => Promise.resolve(Buffer.from(body ? JSON.stringify(body) : ""));
  const answer = await handleApiRequest({ method, target: `/v1${path}`, headers, peer: PEER, readBody });
  const json = JSON.parse(answer.body ?? "null") as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, json };
}

const order = (merchant_reference: string) => ({ currency: "BRL", country: "BR", merchant_reference });
const newPayment = (reference: string) => ({ ...order(reference), amount: "1050", payment_method: "BR_PIX" });
const recipient = { type: "bank_account", account_number: "0001-123456", bank_code: "001", holder_name: "Ana Souza" };
const newPayout = (reference: string) => ({ ...order(reference), amount: "25000", recipient });

/** What a caller learns from a refusal. */
function comparable({ status, json }: Awaited<ReturnType<typeof call>>) {
  return { status, error: json.error };
}

describe("keys and ids", () => {
  it("of a further cell carry its tag, in the length and order of others", async () => {
    expect(theirs.key.publicKey).toMatch(/^pk_test_e2_[0-9A-Za-z]{21}$/);
    expect(ours.key.publicKey).toMatch(/^pk_test_[0-9A-Za-z]{24}$/);
    expect(theirs.key.publicKey).toHaveLength(ours.key.publicKey.length);
    expect([theirs.merchant.merchantId, theirs.key.id].map(tagOfId)).toEqual(["e2", "e2"]);
    expect([ours.merchant.merchantId, ours.key.id].map(tagOfId)).toEqual(["", ""]);
  });
});

describe("a request", () => {
  it("creates, reads, lists and cancels in the cell of its key, in both cells alike and at once", async () => {
    const use = async ({ key, cell, merchant }: Caller) => {
      const created = await call(key, "POST", "/payment_intents", newPayment("one"));
      expect([created.status, created.json]).toEqual([201, expect.objectContaining({ merchant_reference: "one" })]);
      const id = String(created.json.id);
      expect(tagOfId(id)).toBe(cell.tag);
      expect((await call(key, "GET", `/payment_intents/${id}`)).json).toMatchObject({ id });
      const list = await call(key, "GET", "/payment_intents");
      expect((list.json.data as { id: string }[]).map((one) => one.id)).toEqual([id]);
      const payout = await call(key, "POST", "/payout_intents", newPayout("out"));
      const cancelled = await call(key, "POST", `/payout_intents/${String(payout.json.id)}/cancel`, {});
      expect([cancelled.status, cancelled.json]).toEqual([202, expect.objectContaining({ status: "cancelled" })]);
      const stored = "SELECT id FROM payment_intent WHERE merchant_id = $1";
      expect(await inCell(cell, () => query(stored, merchant.merchantId))).toEqual([{ id }]);
      const wallets = await call(key, "GET", "/wallets");
      expect(JSON.stringify(wallets.json)).toContain(`"${OPENING}"`);
    };
    await Promise.all([use(ours), use(theirs)]);
    for (const { cell, merchant } of [ours, theirs]) {
      const other = cell.tag === "" ? cells.second : cells.first;
      const strays = "SELECT id FROM payment_intent WHERE merchant_id = $1";
      expect(await inCell(other, () => query(strays, merchant.merchantId))).toEqual([]);
    }
  });

  it("pages through a list in its cell by cursors", async () => {
    for (const n of [1, 2, 3]) await call(theirs.key, "POST", "/payment_intents", newPayment(`page-${n}`));
    const seen: string[] = [];
    let after = "";
    for (let page = 0; page < 9 && after !== "end"; page += 1) {
      const { json } = await call(theirs.key, "GET", `/payment_intents?limit=2${after}`);
      const data = json.data as { merchant_reference: string }[];
      seen.push(...data.map((one) => one.merchant_reference));
      after = typeof json.next_cursor === "string" ? `&cursor=${json.next_cursor}` : "end";
    }
    expect(seen).toEqual(["page-3", "page-2", "page-1", "one"]);
  });

  it("for an object of another cell gets the answer of an unknown id", async () => {
    const { json } = await call(theirs.key, "POST", "/payment_intents", newPayment("foreign"));
    const unknown = await call(ours.key, "GET", "/payment_intents/dord_01h455vb4pex5vsknk084sn02q");
    expect(comparable(unknown).status).toBe(404);
    expect(comparable(await call(ours.key, "GET", `/payment_intents/${String(json.id)}`))).toEqual(comparable(unknown));
    const cancel = await call(ours.key, "POST", `/payment_intents/${String(json.id)}/cancel`, {});
    expect(comparable(cancel)).toEqual(comparable(unknown));
  });

  it("with a key of no cell, of another cell's tag or of a forged one gets the answer of an unknown key", async () => {
    const { publicKey, secretKey } = theirs.key;
    const unknown = await call({ publicKey: `pk_test_${"0".repeat(24)}`, secretKey }, "GET", "/wallets");
    expect(unknown.status).toBe(401);
    const forged = [
      publicKey.replace("_e2_", "_zz_"),
      publicKey.replace("_e2_", "_"),
      publicKey.replace("_e2_", "000"),
      ours.key.publicKey.replace(/^pk_test_.../, "pk_test_e2_"),
    ];
    for (const key of forged) {
      const answer = await call({ publicKey: key, secretKey }, "GET", "/wallets");
      expect([key, comparable(answer)]).toEqual([key, comparable(unknown)]);
    }
    expect((await call(theirs.key, "GET", "/wallets")).status).toBe(200);
  });

  it("is logged in its own cell", async () => {
    await flushApiLog();
    for (const { cell, merchant, key } of [ours, theirs]) {
      const logs = await inCell(cell, () => query<{ n: number }>("SELECT count(*)::int AS n FROM api_log"));
      const mine = "SELECT count(*)::int AS n FROM api_log WHERE merchant_id = $1 AND api_key_id = $2";
      expect(logs).toEqual(await inCell(cell, () => query(mine, merchant.merchantId, key.id)));
      expect(logs[0]?.n).toBeGreaterThan(0);
    }
  });

  it("of a cell that is away is answered 503, and requests of the other cell are served", async () => {
    const { databaseUrl } = cells.second;
    const away = new URL(addressOf(databaseUrl ?? "", "nothing"));
    away.port = "9";
    await disconnect();
    configureCells([{ ...SECOND_CELL, url: away.href }]);
    try {
      const [lost, served] = await Promise.all([
        call(theirs.key, "GET", "/wallets"),
        call(ours.key, "POST", "/payment_intents", newPayment("while-away")),
      ]);
      expect([lost.status, lost.headers["retry-after"]]).toEqual([503, "1"]);
      expect(served.status).toBe(201);
    } finally {
      await disconnect();
      configureCells([{ ...SECOND_CELL, url: databaseUrl ?? "" }]);
    }
    expect(allCells()).toHaveLength(2);
    expect((await call(theirs.key, "GET", "/wallets")).status).toBe(200);
  });
});

describe("with one cell", () => {
  it("a request and its new connections take no statement more: only several ask which cell a database is", async () => {
    const use = async () => {
      await disconnect();
      clearCaches();
      const created = await call(ours.key, "POST", "/payment_intents", newPayment(`counted-${keys}`));
      expect(created.status).toBe(201);
      await call(ours.key, "GET", `/payment_intents/${String(created.json.id)}`);
      await call(ours.key, "GET", "/payment_intents");
      await flushApiLog();
    };
    const second = cells.second.databaseUrl ?? "";
    await use();
    const withTwo = new Set(await statementsOf(use));
    configureCells(null);
    try {
      const withOne = new Set(await statementsOf(use));
      expect(withOne.size).toBeGreaterThan(3);
      const more = [...withTwo].filter((text) => !withOne.has(text));
      expect(more.filter((text) => !text.includes("FROM installation"))).toEqual([]);
      expect(more).toHaveLength(1);
      expect([...withOne].filter((text) => !withTwo.has(text))).toEqual([]);
    } finally {
      await disconnect();
      configureCells([{ ...SECOND_CELL, url: second }]);
    }
  });
});
