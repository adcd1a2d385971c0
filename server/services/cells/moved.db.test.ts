// A merchant that has moved to another cell, and back: all its names from before still lead to it, and nobody else notices.
import { createHmac } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { isNotFound, notFoundError } from "@/server/domain/errors";
import { handleApiRequest } from "@/server/http/handler";
import { type Cell, currentCell, inCell, inEachCell } from "@/server/platform/cell";
import { newId, tagOfId } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { addressOf, nameOf } from "@/server/testing/databases";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { authenticateInItsCell, forgetApiKey } from "../api-keys/authenticate";
import { createApiKey } from "../api-keys/create";
import type { CreatedKey } from "../api-keys/new-key";
import { applyDueCallbacks } from "../callbacks/receive-callback";
import { addMember, inviteMember } from "../members/manage";
import { showLink } from "../members/one-time-links";
import { operatorContext } from "../merchants/operator";
import { asServiceError } from "../outage";
import { getPayerView } from "../payer/get-payer-view";
import { notePeople } from "../sign-in/person-cells";
import { findMemberSession } from "../sign-in/sessions";
import { signIn } from "../sign-in/sign-in";
import { enterAs } from "../sign-in/testing/sessions";
import { cellOfMerchant, inCellThatKnows } from "./moved";

const SECRET = "a secret of at least thirty-two characters";
/** A provider that cannot be reached: its reports arrive as callbacks only. */
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };
const PASSWORD = "correct horse battery";
const PEER = { address: "192.0.2.1", duplicateHeaders: [] };

let cells: TwoCells;
let first: Cell;
let second: Cell;

beforeAll(async () => {
  reachEveryMerchant();
  configureGateways(JSON.stringify([ACME]));
  configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
  cells = await openTwoCells();
  ({ first, second } = cells);
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  configureGateways(null);
  configureRoutes(null);
  await disconnect();
  await cells.end();
});

interface Caller {
  readonly home: Cell;
  readonly other: Cell;
  readonly merchant: TestMerchant;
  readonly merchantId: string;
  readonly key: CreatedKey;
}

function makeCaller(home: Cell): Promise<Caller> {
  return inCell(home, async () => {
    const merchant = await makeLiveMerchant();
    const key = await createApiKey(merchant.context, "Key");
    return { home, other: home === first ? second : first, merchant, merchantId: merchant.merchantId, key };
  });
}

type Pair = Pick<CreatedKey, "publicKey" | "secretKey">;

async function send(method: string, target: string, headers: Headers, text: string) {
  const readBody = () => Promise.resolve(Buffer.from(text));
  const answer = await handleApiRequest({ method, target, headers, peer: PEER, readBody });
  const json = JSON.parse(answer.body ?? "null") as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, json };
}

function call(pair: Pair, method: string, path: string, body?: object, idempotencyKey = newId("request")) {
  const credentials = Buffer.from(`${pair.publicKey}:${pair.secretKey}`).toString("base64");
  const headers = new Headers({
    authorization: `Basic ${credentials}`,
    "content-type": "application/json",
    ...(method === "POST" && { "idempotency-key": idempotencyKey }),
  });
  return send(method, `/v1${path}`, headers, body ? JSON.stringify(body) : "");
}

const newPayment = (merchant_reference: string) => ({
  amount: "1050",
  currency: "BRL",
  country: "BR",
  payment_method: "BR_PIX",
  merchant_reference,
});

/** A process remembers a key for less than a second; until then it answers 503. */
async function callOnceSettled(...given: Parameters<typeof call>): ReturnType<typeof call> {
  await vi.waitFor(async () => expect((await call(given[0], "GET", "/wallets")).status).not.toBe(503), 5_000);
  return call(...given);
}

/** Runs work while a cell's database takes no connections. */
async function whileAway({ databaseUrl }: Cell, work: () => Promise<void>): Promise<void> {
  const name = nameOf(databaseUrl ?? "");
  const admin = new Client({ connectionString: addressOf(databaseUrl ?? "", "postgres") });
  await admin.connect();
  try {
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
    await work();
  } finally {
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    await admin.end();
  }
}

describe.each(["the first cell", "a further cell"])("a merchant that has left %s", (from) => {
  let caller: Caller;
  let payment: Record<string, unknown>;
  const created = newPayment("before");

  beforeEach(async () => {
    caller = await makeCaller(from === "the first cell" ? first : second);
    const answer = await call(caller.key, "POST", "/payment_intents", created, "before-the-move");
    if (answer.status !== 201) throw new Error(`the payment was answered ${answer.status}`);
    payment = answer.json;
  });

  it("is served in the other by the keys, ids, idempotency keys and cursors from before", async () => {
    const { key, home, other, merchantId } = caller;
    await call(key, "POST", "/payment_intents", newPayment("second"));
    const page = await call(key, "GET", "/payment_intents?limit=1");
    await moveByHand(home, other, merchantId);
    const path = `/payment_intents/${String(payment["id"])}`;
    expect((await callOnceSettled(key, "GET", path)).json).toMatchObject({ id: payment["id"] });
    const again = await call(key, "POST", "/payment_intents", created, "before-the-move");
    expect([again.status, again.json]).toEqual([201, payment]);
    expect(new Headers(again.headers).get("idempotent-replayed")).toBe("true");
    const next = await call(key, "GET", `/payment_intents?limit=1&cursor=${String(page.json["next_cursor"])}`);
    expect(next.json).toMatchObject({ data: [{ id: payment["id"] }], has_more: false });
    const fresh = await call(key, "POST", "/payment_intents", newPayment("after"));
    expect([fresh.status, tagOfId(String(fresh.json["id"]))]).toEqual([201, other.tag]);
    const count = "SELECT count(*)::int AS n FROM payment_intent WHERE merchant_id = $1";
    expect(await inCell(other, () => query(count, merchantId))).toEqual([{ n: 3 }]);
    expect(await inCell(home, () => query(count, merchantId))).toEqual([{ n: 0 }]);
    expect((await getPayerView(String(payment["id"]))).id).toBe(payment["id"]);
    expect(await cellOfMerchant(home, merchantId)).toEqual(other);
    const wallets = await runCommand("wallets", "show", "--merchant", merchantId, "--environment", "live");
    expect(wallets).toMatchObject({ data: [{ currency: "BRL" }] });
    const revoked = await runCommand("keys", "revoke", "--public-key", key.publicKey);
    expect(revoked).not.toHaveProperty("code");
    await vi.waitFor(async () => expect((await call(key, "GET", "/wallets")).status).toBe(401), 5_000);
  });

  it.each(["GET", "POST"])("answers 503 to one %s of each process that remembers its key", async (method) => {
    const { key, home, other, merchantId } = caller;
    const send = () =>
      method === "GET"
        ? call(key, "GET", "/wallets")
        : call(key, "POST", "/payment_intents", newPayment("after"), "after-the-move");
    // What a process remembers lives for less than a second, so the clock of its memory stands still.
    const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    expect((await call(key, "GET", "/wallets")).status).toBe(200);
    await moveByHand(home, other, merchantId);
    const first = await send();
    clock.mockRestore();
    expect([first.status, (await send()).status]).toEqual([503, method === "GET" ? 200 : 201]);
  });

  it("is not unknown, but away, for a process that does not know its new cell", async () => {
    const { key, home, other, merchantId } = caller;
    await fence(home, merchantId, "left", { ...other, name: "eu9" });
    inCell(home, () => forgetApiKey(key.publicKey));
    expect((await call(key, "GET", "/wallets")).status).toBe(503);
    await fence(home, merchantId, "arriving", other);
    await unfence(home, merchantId);
    expect((await callOnceSettled(key, "GET", "/wallets")).status).toBe(200);
  });

  it("is gone for nobody else, and strangers get what they always got", async () => {
    const { key, home, other, merchantId } = caller;
    const neighbor = await makeCaller(home);
    const unknown = { publicKey: `${key.publicKey.slice(0, -4)}0000`, secretKey: key.secretKey };
    const wrong = { publicKey: key.publicKey, secretKey: neighbor.key.secretKey };
    const refused = await call(unknown, "GET", "/wallets");
    expect(refused.status).toBe(401);
    await moveByHand(home, other, merchantId);
    expect((await callOnceSettled(neighbor.key, "GET", "/wallets")).status).toBe(200);
    expect((await callOnceSettled(key, "GET", "/wallets")).status).toBe(200);
    for (const pair of [unknown, wrong]) {
      const answer = await call(pair, "GET", "/wallets");
      expect([answer.status, answer.json["error"]]).toMatchObject([401, { code: "unauthorized" }]);
      expect({ ...(answer.json["error"] as object), request_id: "" }).toEqual({
        ...(refused.json["error"] as object),
        request_id: "",
      });
    }
    await expect(getPayerView(newId("paymentIntent"))).rejects.toMatchObject({ code: "not_found" });
    const foreign = await call(neighbor.key, "GET", `/payment_intents/${String(payment["id"])}`);
    expect(foreign.status).toBe(404);
  });

  it("has come back, and is served while the other is away, in a process that has met it there", async () => {
    const { key, home, other, merchantId } = caller;
    const neighbor = await makeCaller(home);
    const whereIs = async (pair: Pair) => {
      for (const cell of [home, other]) inCell(cell, () => forgetApiKey(pair.publicKey));
      return (await authenticateInItsCell(pair)).cell.name;
    };
    for (const { merchantId: id } of [caller, neighbor]) await moveByHand(home, other, id);
    for (const pair of [key, neighbor.key]) expect(await whereIs(pair)).toBe(other.name);
    await moveByHand(other, home, merchantId);
    await whileAway(other, async () => {
      expect(await whereIs(key)).toBe(home.name);
      const refused = await whereIs(neighbor.key).catch(asServiceError);
      expect(refused).toMatchObject({ code: "service_unavailable" });
    });
    expect(await whereIs(neighbor.key)).toBe(other.name);
  });

  it("may come back, and leave again", async () => {
    const { key, home, other, merchantId } = caller;
    await moveByHand(home, other, merchantId);
    const there = await callOnceSettled(key, "POST", "/payment_intents", newPayment("there"));
    const made = await inCell(other, () => createApiKey(caller.merchant.context, "Made there"));
    await moveByHand(other, home, merchantId);
    for (const pair of [key, made]) {
      const ids = [payment["id"], there.json["id"]];
      for (const id of ids)
        expect((await callOnceSettled(pair, "GET", `/payment_intents/${String(id)}`)).json).toMatchObject({ id });
    }
    expect((await getPayerView(String(there.json["id"]))).id).toBe(there.json["id"]);
    expect(await cellOfMerchant(other, merchantId)).toEqual(home);
    await moveByHand(home, other, merchantId);
    for (const pair of [key, made]) expect((await callOnceSettled(pair, "GET", "/wallets")).status).toBe(200);
  });

  it("is never unknown, although a process still knows that it was elsewhere", async () => {
    const { key, home, other, merchantId } = caller;
    await moveByHand(home, other, merchantId);
    expect((await callOnceSettled(key, "GET", "/wallets")).status).toBe(200);
    await moveByHand(other, home, merchantId);
    inCell(other, () => forgetApiKey(key.publicKey));
    expect((await call(key, "GET", "/wallets")).status).toBe(200);
  });

  it("is never unknown, although it comes back between a look into the cell and one at its fences", async () => {
    const { home, other, merchantId } = caller;
    await moveByHand(home, other, merchantId);
    await fence(home, merchantId, "arriving", other);
    await fence(other, merchantId, "leaving", home);
    let looks = 0;
    const look = async () => {
      looks += 1;
      if (looks > 1 && currentCell() === home) return "found";
      await fence(other, merchantId, "left", home);
      await unfence(home, merchantId);
      throw notFoundError();
    };
    expect(await inCellThatKnows(home, isNotFound, look)).toBe("found");
    // Its rows are in the other cell.
    await fence(home, merchantId, "left", other);
    await fence(other, merchantId, "arriving", home);
    await unfence(other, merchantId);
  });

  it("gets the callbacks that come under references from before, once, wherever they were stored", async () => {
    const { home, other, merchantId } = caller;
    const id = String(payment["id"]);
    const callback_id = newId("event");
    const report = { status: "succeeded", amount: "1050", currency: "BRL", provider_reference: `psp-${id}` };
    const body = JSON.stringify({ callback_id, merchant_id: merchantId, reference: id, ...report });
    const receive = () => {
      const message = { method: "POST", path: "/providers/acme/callbacks", body };
      const headers = new Headers(signedHeaders(SECRET, message, new Date()));
      return send("POST", message.path, headers, body);
    };
    const apply = async () => {
      for (const cell of [home, other]) await inCell(cell, () => applyDueCallbacks(1_000, 30_000));
    };
    const due = "UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE due_at IS NOT NULL";
    const results = "SELECT result FROM provider_callback WHERE strpos(body, $1) > 0";
    await fence(other, merchantId, "arriving", home);
    await fence(home, merchantId, "leaving", other);
    expect((await receive()).status).toBe(200);
    await apply();
    expect(await inCell(home, () => query(results, callback_id))).toEqual([{ result: null }]);
    await moveByHand(home, other, merchantId);
    await inCell(home, () => query(due));
    await apply();
    expect((await receive()).status).toBe(200);
    await inEachCell(() => query(due));
    await apply();
    expect(await inCell(home, () => query(results, callback_id))).toEqual([{ result: "handed_over" }]);
    expect(await inCell(other, () => query(results, callback_id))).toEqual([{ result: "applied" }]);
    const status = "SELECT status FROM payment_intent WHERE id = $1";
    expect(await inCell(other, () => query(status, id))).toEqual([{ status: "succeeded" }]);
  });

  it("keeps a callback that no provider is known to have sent", async () => {
    const { home, other, merchantId } = caller;
    const callback_id = newId("event");
    const body = JSON.stringify({ callback_id, merchant_id: merchantId, reference: payment["id"], status: "failed" });
    const digest = `0a1b2c3d.${createHmac("sha256", "x").update(body).digest("hex")}`;
    const forge =
      "INSERT INTO provider_callback (provider, callback_id, body, digest, due_at) VALUES ('acme', $1, $2, $3, now() - interval '1 second')";
    await moveByHand(home, other, merchantId);
    await inCell(home, () => query(forge, callback_id, body, digest));
    await inCell(home, () => applyDueCallbacks(1_000, 30_000));
    const results = "SELECT result FROM provider_callback WHERE callback_id = $1";
    expect(await inCell(other, () => query(results, callback_id))).toEqual([]);
    expect(await inCell(home, () => query(results, callback_id))).not.toEqual([{ result: "ignored" }]);
  });

  it("has people who sign in again in the other cell, and links that still open", async () => {
    const { home, other, merchantId } = caller;
    const email = `${newId("request")}@staff.example`;
    const context = operatorContext(merchantId, "live");
    const { id, sessionId, link } = await inCell(home, async () => {
      const member = await addMember(context, { email, roles: ["owner"] }, PASSWORD);
      const invited = await inviteMember(context, { email: `i${email}`, roles: ["developer"] });
      return { id: member, sessionId: await enterAs({ id: member, merchantId }), link: invited.link };
    });
    const session = { merchantId, sessionId };
    expect(await findMemberSession(session, { isBackground: true })).not.toBeNull();
    await moveByHand(home, other, merchantId);
    expect(await findMemberSession(session, { isBackground: true })).toBeNull();
    await inCell(second, async () => {
      while ((await notePeople()) > 0);
    });
    expect(await signIn({ email, password: PASSWORD, address: "192.0.2.9", device: null })).toMatchObject({
      id,
      cell: other,
    });
    const token = new URL(link).hash.slice(1);
    expect(await showLink(token)).toMatchObject({ merchantId });
  });

  it("is answered 503 while it moves, and so is what may be its; nobody else is", async () => {
    const { key, home, other, merchantId } = caller;
    const neighbor = await makeCaller(home);
    await fence(other, merchantId, "arriving", home);
    expect((await call(key, "GET", "/wallets")).status).toBe(200);
    await fence(home, merchantId, "leaving", other);
    const answers = [
      await call(key, "GET", "/wallets"),
      await call(key, "POST", "/payment_intents", newPayment("meanwhile")),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, json: { error: { code: "service_unavailable" } } });
      expect(new Headers(answer.headers).get("retry-after")).toBe("1");
    }
    const unavailable = { code: "service_unavailable", retryAfterSeconds: 1 };
    await expect(getPayerView(String(payment["id"]))).rejects.toMatchObject(unavailable);
    await expect(cellOfMerchant(home, merchantId)).rejects.toMatchObject(unavailable);
    await expect(
      findMemberSession({ merchantId, sessionId: newId("session") }, { isBackground: true }),
    ).rejects.toThrow("the other cell is");
    expect((await call(neighbor.key, "POST", "/payment_intents", newPayment("meanwhile"))).status).toBe(201);
    // The copy does not count yet, however far the switch is.
    await fence(home, merchantId, "left", other);
    await expect(getPayerView(String(payment["id"]))).rejects.toMatchObject(unavailable);
    await fence(home, merchantId, "arriving", other);
    await unfence(home, merchantId);
    await unfence(other, merchantId);
    expect((await callOnceSettled(key, "GET", "/wallets")).status).toBe(200);
  });
});
