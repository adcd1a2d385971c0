// Nothing of a merchant stays behind, or is kept from where it is needed: not what others write meanwhile, what waits, or what
// refers to it.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { claimDueCallbacksAcrossMerchants, setCallbackAsideAcrossMerchants } from "@/server/db/callbacks";
import { claimCell } from "@/server/db/cell-identity";
import { disconnect, query, whilePreparing } from "@/server/db/client";
import type * as CountKeys from "@/server/db/secrets/count-keys";
import { asOwnerOf, fence, moveByHand, unfence } from "@/server/db/testing/move-by-hand";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { callbackName, unappliedCallbackException } from "@/server/domain/callback";
import { NOBODY } from "@/server/domain/exceptions";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { createKeyRing } from "@/server/platform/key-ring";
import { keyRing } from "@/server/platform/keys";
import { reachEveryMerchant } from "@/server/platform/reach";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { addressOf, createDatabase, dropDatabase, nameOf } from "@/server/testing/databases";
import { requireInvariants } from "@/server/testing/invariants";
import {
  keyed,
  makeLiveMerchant,
  makeMerchant,
  once,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { applyCallbackAgain } from "../callbacks/apply-again";
import { handOver } from "../callbacks/hand-over";
import { applyDueCallbacks, receiveCallback } from "../callbacks/receive-callback";
import { readCallback } from "../callbacks/try";
import { listFences } from "../cells/moved";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import type * as CellsOfLines from "../reconciliation/cells-of-lines";
import { cellsOfLines } from "../reconciliation/cells-of-lines";
import { reconcile } from "../reconciliation/reconcile";
import { simulate } from "../sandbox/simulate";
import { secretsStatus } from "../secrets/status";
import { fenceIn } from "./testing/rows";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const hooks = vi.hoisted(() => ({ afterCount: async () => {}, afterCells: async () => {} }));
vi.mock("@/server/db/secrets/count-keys", async (original) => {
  const own = await original<typeof CountKeys>();
  const countKeysAcrossMerchants = async () => {
    const counts = await own.countKeysAcrossMerchants();
    await hooks.afterCount();
    return counts;
  };
  return { ...own, countKeysAcrossMerchants };
});
vi.mock("../reconciliation/cells-of-lines", async (original) => {
  const own = await original<typeof CellsOfLines>();
  const counted: typeof own.cellsOfLines = async (...given) => {
    const found = await own.cellsOfLines(...given);
    await hooks.afterCells();
    return found;
  };
  return { ...own, cellsOfLines: counted };
});

/** Runs work beside what is under way: it is in no cell. */
const outside = AsyncLocalStorage.snapshot();

const SECRET = "a secret of at least thirty-two characters";
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };

let first: Cell;
let second: Cell;
let third: Cell;
let atLine: (line: string) => unknown = () => undefined;
let drop: () => Promise<unknown>;

beforeAll(async () => {
  reachEveryMerchant();
  catchStandardError((line) => atLine(line));
  const template = inject("databaseTemplate");
  const server = addressOf(template, "postgres");
  const make = () => createDatabase(server, `sluice_test_${randomBytes(6).toString("hex")}`, nameOf(template));
  const urls = [await make(), await make()] as const;
  configureCells([
    { ...SECOND_CELL, url: urls[0] },
    { name: "eu3", tag: "e3", url: urls[1] },
  ]);
  [first, second, third] = allCells() as unknown as [Cell, Cell, Cell];
  const cellsId = await inCell(first, () => whilePreparing(() => claimCell(null)));
  for (const cell of [second, third]) await inCell(cell, () => whilePreparing(() => claimCell(cellsId)));
  drop = async () => {
    configureCells(null);
    for (const url of urls) await dropDatabase(server, url);
  };
});
afterEach(() => {
  atLine = () => undefined;
  hooks.afterCount = async () => {};
  hooks.afterCells = async () => {};
  vi.unstubAllGlobals();
});
afterAll(async () => {
  configureGateways(null);
  configureRoutes(null);
  await disconnect();
  await drop();
});

const move = (merchantId: string, to: Cell) =>
  runCommand("merchants", "move", "--merchant", merchantId, "--to", to.name, "--experimental");

/** Runs work while a merchant is in a cell that this process does not know. */
async function whileAtUnknownCell<Result>(merchantId: string, work: () => Promise<Result>): Promise<Result> {
  await fence(first, merchantId, "left", { ...second, name: "eu9" });
  try {
    return await work();
  } finally {
    await fence(first, merchantId, "arriving", second);
    await unfence(first, merchantId);
  }
}

describe("a table that a later release has made", () => {
  const everywhere = async (sql: string) => {
    for (const cell of [first, second, third]) await asOwnerOf(cell, (client) => client.query(sql));
  };
  beforeEach(() => everywhere("CREATE TABLE later_thing (merchant_id text NOT NULL, id text PRIMARY KEY)"));
  afterEach(() => everywhere("DROP TABLE later_thing"));

  it("is noticed also if it is made while the merchant is copied", async () => {
    await everywhere("DROP TABLE later_thing");
    const { merchantId } = await inCell(first, makeLiveMerchant);
    const made: Promise<unknown>[] = [];
    atLine = (line) => {
      if (!line.startsWith("copying")) return;
      const sql = "CREATE TABLE later_thing AS SELECT $1::text AS merchant_id, 'a' AS id";
      made.push(asOwnerOf(first, (client) => client.query(sql, [merchantId])));
    };
    const outcome = JSON.stringify(await move(merchantId, second));
    await Promise.all(made);
    await everywhere("DROP TABLE IF EXISTS later_thing");
    await everywhere("CREATE TABLE later_thing (merchant_id text)");
    expect(outcome).toContain("later_thing");
    expect(await fenceIn(first, merchantId)).toBeNull();
  });

  it("does not stay behind, since a command that does not know it refuses the move", async () => {
    const { merchantId } = await inCell(first, makeLiveMerchant);
    await asOwnerOf(first, (client) => client.query("INSERT INTO later_thing VALUES ($1, 'a')", [merchantId]));
    const outcome = JSON.stringify(await move(merchantId, second));
    const here = (await fenceIn(first, merchantId)) === null ? first : second;
    const { rows } = await asOwnerOf(here, (client) =>
      client.query("SELECT FROM later_thing WHERE merchant_id = $1", [merchantId]),
    );
    expect({ rows: rows.length, outcome }).toEqual({ rows: 1, outcome: expect.stringContaining("later_thing") });
  });
});

it("an old secret is not removable if a merchant came with its values while they were counted", async () => {
  const old = keyRing();
  const owner = await inCell(first, () => makeMerchant());
  const { merchantId } = owner;
  await inCell(first, () =>
    once(keyed(owner, "a-payout"), (idempotency) => createPayoutIntent(owner.context, payout(), idempotency)),
  );
  vi.stubGlobal("sluiceKeyRing", createKeyRing([Buffer.alloc(32, 7), ...env().secrets]));
  // The cell that the merchant comes to has nothing of its own under the old secret.
  hooks.afterCount = async () => {
    hooks.afterCount = async () => {};
    expect(await outside(() => move(merchantId, second))).toMatchObject({ phase: "done" });
  };
  const statuses = [await inCell(second, secretsStatus), await inCell(third, secretsStatus)];
  const sources = await inCell(first, secretsStatus);
  const needed = await inCell(second, secretsStatus);
  const ofOld = (status: Awaited<ReturnType<typeof secretsStatus>>) =>
    status.old.find(({ id }) => id === old.current("session").id);
  expect(ofOld(needed)?.neededBy).toContain("payout_intent.account_sealed");
  expect({ moving: statuses[0]?.moving, isRemovable: statuses[0] && ofOld(statuses[0])?.isRemovable }).toEqual({
    moving: expect.arrayContaining([merchantId]),
    isRemovable: false,
  });
  // It was counted after the merchant had left.
  expect({ moving: sources.moving, isRemovable: ofOld(sources)?.isRemovable }).toMatchObject({ isRemovable: false });
});

describe("a callback", () => {
  let merchant: TestMerchant;
  let reference: string;
  let callbackId: string;
  beforeEach(async () => {
    configureGateways(JSON.stringify([ACME]));
    configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
    merchant = await inCell(first, makeLiveMerchant);
    const { intent } = await inCell(first, () =>
      createPaymentIntent(merchant.context, payment(), withoutIdempotency()),
    );
    reference = intent.id;
    callbackId = newId("event");
    const body = JSON.stringify({
      callback_id: callbackId,
      merchant_id: merchant.merchantId,
      reference,
      status: "succeeded",
      amount: "1050",
      currency: "BRL",
      provider_reference: `psp-${intent.id}`,
    });
    const message = { method: "POST", path: "/providers/acme/callbacks", body };
    await receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
  });
  afterEach(() => {
    configureGateways(null);
    configureRoutes(null);
  });

  const claim = async () => {
    const claimed = await inCell(first, () => claimDueCallbacksAcrossMerchants(1_000, 30_000));
    const callback = claimed.find((one) => one.callbackId === callbackId);
    if (!callback) throw new Error("the callback was not claimed");
    return callback;
  };

  it("that waits for an operator can be applied after a move", async () => {
    const callback = await claim();
    const why = { reason: "failing" as const, reference, intentId: reference, why: "a fault of this release" };
    const opening = {
      ...unappliedCallbackException(callback, why),
      scope: { merchantId: merchant.merchantId, environment: "live" as const },
    };
    await inCell(first, () => setCallbackAsideAcrossMerchants(callback, "failing", opening, new Date()));
    await move(merchant.merchantId, second);
    await inEachCell(requireInvariants);
    await move(merchant.merchantId, first);
    await inEachCell(requireInvariants);
    await move(merchant.merchantId, second);
    const tries: unknown[] = [];
    for (const cell of [second, first, second]) {
      const again = () => applyCallbackAgain(callbackName(callback));
      tries.push(
        await inCell(cell, again).then(
          ({ why }) => why ?? "applied",
          (error: Error) => error.message,
        ),
      );
      await inCell(cell, () => applyDueCallbacks(1_000, 30_000));
    }
    const rows = await inCell(second, () => query("SELECT status FROM payment_intent WHERE id = $1", reference));
    expect({ rows, tries }).toEqual({ rows: [{ status: "succeeded" }], tries: expect.arrayContaining(["applied"]) });
  });

  it("of which nobody knew the merchant is handed over when it is applied again", async () => {
    const callback = await claim();
    const why = { reason: "unmatched" as const, reference, intentId: null, why: "there is no such payment" };
    const opening = {
      ...unappliedCallbackException(callback, why),
      scope: { merchantId: NOBODY, environment: "live" as const },
    };
    await inCell(first, () => setCallbackAsideAcrossMerchants(callback, "unmatched", opening, new Date()));
    await move(merchant.merchantId, second);
    const { callback: after } = await inCell(first, () => applyCallbackAgain(callbackName(callback)));
    expect(after.result).toBe("handed_over");
    const open = "SELECT resolved_at IS NULL AS open FROM exception WHERE detail->>'callback' = $1";
    expect(await inCell(first, () => query(open, callbackName(callback)))).toEqual([{ open: false }]);
    await inCell(second, () => applyDueCallbacks(1_000, 30_000));
    const rows = await inCell(second, () => query("SELECT status FROM payment_intent WHERE id = $1", reference));
    expect(rows).toEqual([{ status: "succeeded" }]);
    await inEachCell(requireInvariants);
  });

  it("that names its reference alone is handed over to a merchant that has moved twice", async () => {
    const account = `UPDATE provider_attempt SET provider_account = 'acct' WHERE reference = '${reference}'`;
    await asOwnerOf(first, (client) =>
      client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${account}; COMMIT`),
    );
    await moveByHand(first, second, merchant.merchantId);
    await moveByHand(second, third, merchant.merchantId);
    const callback = await claim();
    const handed = await inCell(first, async () => {
      const reading = { ...(await readCallback(callback)), merchantId: null };
      return handOver(callback, reading, await listFences());
    });
    expect(handed).toBe(true);
  });

  it("that names its reference alone waits in a process that does not know the cell of each merchant", async () => {
    const callback = await claim();
    const handed = await whileAtUnknownCell(merchant.merchantId, () =>
      inCell(first, async () => {
        const reading = { ...(await readCallback(callback)), merchantId: null };
        return handOver(callback, reading, await listFences());
      }),
    );
    const rows = await inCell(first, () =>
      query("SELECT result, attempts FROM provider_callback WHERE callback_id = $1", callbackId),
    );
    expect({ handed, rows }).toEqual({ handed: true, rows: [{ result: null, attempts: 0 }] });
  });
});

describe("a line of a settlement file", () => {
  let merchant: TestMerchant;
  let id: string;
  const day = Date.now() - 3_600_000;
  const scope = { provider: "sandbox", environment: "test" as const, merchantId: null };
  beforeEach(async () => {
    merchant = await inCell(first, () => makeMerchant());
    id = await inCell(first, async () => {
      const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
      await simulate(merchant.context, intent.id, "succeeded");
      return intent.id;
    });
  });

  it("belongs to the cell of a merchant that has moved twice", async () => {
    await moveByHand(first, second, merchant.merchantId);
    await moveByHand(second, third, merchant.merchantId);
    const line = { kind: "payment", reference: id } as never;
    expect((await cellsOfLines(scope, [line])).cellOf(line).name).toBe(third.name);
  });

  it("is not unknown to a process that does not know the cell of each merchant", async () => {
    const line = { kind: "payment", reference: id } as never;
    const stray = await inCell(first, () => makeMerchant());
    const outcome = await whileAtUnknownCell(stray.merchantId, () => cellsOfLines(scope, [line])).catch(
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({
      code: "service_unavailable",
      message: expect.stringContaining("eu9") as string,
    });
  });

  it("is not unknown because its merchant is being closed during the import", async () => {
    const header = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
    const text = `${header}\nl-${id},payment,${id},p-${id},1050,BRL,0,${new Date(day).toISOString()},b\n`;
    const file = { name: "f.csv", bytes: new TextEncoder().encode(text), from: null, to: null };
    const run = () => reconcile({ provider: "sandbox", environment: "test", ...file });
    hooks.afterCells = () => fence(first, merchant.merchantId, "closing", second);
    const during = await run().then(
      ({ lines }) => lines.map(({ verdict }) => verdict),
      (error: Error) => error.message,
    );
    hooks.afterCells = async () => {};
    await unfence(first, merchant.merchantId);
    const there = await move(merchant.merchantId, second);
    const after = (await run()).lines.map(({ verdict }) => verdict);
    const open = await inCell(first, () =>
      query("SELECT kind FROM exception WHERE object_id IN ($1, $2) AND resolved_at IS NULL", id, `l-${id}`),
    );
    const back = await move(merchant.merchantId, first);
    expect({ during, there, after, open, back }).toMatchObject({
      during: expect.not.arrayContaining(["missing_internal"]),
      after: ["matched"],
      back: { phase: "done" },
    });
  });
});
