// The pause of a move, step by step: what happens between its steps is not lost, and its last checks decide.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { claimKey, giveBackKey } from "@/server/db/idempotency";
import type { fenceDeparture } from "@/server/db/moves/fences";
import type { completeDeparture } from "@/server/db/moves/handover";
import { asOwnerOf, unfence } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { reachEveryMerchant, withinMerchant } from "@/server/platform/reach";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { fenceIn, rowsOf } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 180_000 });

type Step = "closing" | "leaving" | "left";

/** Runs before each step of a pause. */
const between = vi.hoisted(() => ({ step: async (_step: "closing" | "leaving" | "left"): Promise<void> => {} }));
vi.mock("@/server/db/moves/fences", async (load) => {
  const original = await load<{ fenceDeparture: typeof fenceDeparture }>();
  return {
    ...original,
    fenceDeparture: async (...given: Parameters<typeof fenceDeparture>) => {
      await between.step(given[2]);
      return original.fenceDeparture(...given);
    },
  };
});
vi.mock("@/server/db/moves/handover", async (load) => {
  const original = await load<{ completeDeparture: typeof completeDeparture }>();
  return {
    ...original,
    completeDeparture: async (...given: Parameters<typeof completeDeparture>) => {
      await between.step("left");
      return original.completeDeparture(...given);
    },
  };
});

let cells: TwoCells;
let first: Cell;
let second: Cell;
let merchant: TestMerchant;
let said: string[];
/** The steps of the pauses, in their order. */
let steps: Step[];

beforeAll(async () => {
  reachEveryMerchant();
  cells = await openTwoCells();
  ({ first, second } = cells);
  catchStandardError((line) => said.push(line));
});
beforeEach(async () => {
  said = [];
  steps = [];
  merchant = await inCell(first, makeLiveMerchant);
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

/** Moves the merchant to the second cell; `work` runs before each step of each pause. */
function moveWithEach(work: (now: Step) => Promise<unknown>) {
  between.step = async (now) => {
    steps.push(now);
    await work(now);
  };
  const words = ["merchants", "move", "--merchant", merchant.merchantId, "--to", second.name, "--experimental"];
  return runCommand(...words);
}

/** Moves the merchant to the second cell; `work` runs before the n-th time of a step, counted from 1. */
const moveWith = (step: Step, times: number, work: () => Promise<unknown>) =>
  moveWithEach(async (now) => {
    if (now === step && steps.filter((one) => one === step).length === times) await work();
  });

const inSecond = (sql: string) => inCell(second, () => query<{ id: string }>(sql, merchant.merchantId));

describe("what the merchant does while it closes", () => {
  it("has all effects in the new cell, and what it deletes is not there", async () => {
    // With the sandbox as its provider.
    merchant = await inCell(first, makeMerchant);
    const { merchantId, scope, context } = merchant;
    const inFirst = <Result>(work: () => Promise<Result>) => inCell(first, () => withinMerchant(merchantId, work));
    const [apiKeyId, holder] = [context.actor.id ?? "", newId("request")];
    const keys: string[] = [];
    const made: string[] = [];
    // On a busy machine a pause can be cut short by a transaction that takes too long. The next pause then copies what this one
    // left, so the last changes of every pause count.
    const acts: Partial<Record<Step, () => Promise<unknown>>> = {
      closing: async () => {
        const key = newId("request");
        keys.push(key);
        const claim = { apiKeyId, key, fingerprint: "f", holder, leaseSeconds: 60 };
        expect(await inFirst(() => claimKey(scope, claim))).toBe(true);
      },
      leaving: () =>
        inFirst(async () => {
          made.push((await createPaymentIntent(context, payment(), withoutIdempotency())).intent.id);
          for (const key of keys.splice(0)) await giveBackKey({ apiKeyId, key, holder, merchantId });
        }),
    };
    expect(await moveWithEach(async (now) => acts[now]?.())).toMatchObject({ phase: "done" });
    const moved = await inSecond("SELECT id FROM payment_intent WHERE merchant_id = $1");
    expect(moved.map(({ id }) => id).sort()).toEqual(made.sort());
    expect(steps.filter((step) => step === "leaving")).toHaveLength(made.length);
    expect(await inSecond("SELECT key AS id FROM idempotency_key WHERE merchant_id = $1")).toEqual([]);
  });
});

describe("the last checks of a pause", () => {
  it("keep a merchant where it is whose audit chain does not end in the same way, until it does", async () => {
    const { merchantId } = merchant;
    await inCell(first, () => linkAuditEntries());
    const { audit_chain: chain = [] } = await rowsOf(first, merchantId);
    expect(chain).toHaveLength(1);
    const done = await moveWith("leaving", 1, () =>
      asOwnerOf(second, (client) =>
        client.query(
          `BEGIN; SET LOCAL session_replication_role = replica;
           UPDATE audit_chain SET last_sequence = last_sequence + 1 WHERE merchant_id = '${merchantId}'; COMMIT`,
        ),
      ),
    );
    expect(done).toMatchObject({ phase: "done" });
    expect(said.join("")).toContain("the merchant stays open for now: the audit chain ends differently");
    // On a busy machine there may be further pauses.
    expect(steps.filter((step) => step === "leaving").length).toBeGreaterThan(1);
    expect(steps.indexOf("left")).toBe(steps.length - 1);
    expect((await rowsOf(second, merchantId))["audit_chain"]).toEqual(chain);
  });
});

describe("a merchant that a worker has opened again during the pause", () => {
  it("is not open in the new cell before it has left", async () => {
    const { merchantId } = merchant;
    const fences: (string | null)[] = [];
    const look = async () => void fences.push(await fenceIn(first, merchantId), await fenceIn(second, merchantId));
    const lifting = moveWith("left", 1, () => unfence(first, merchantId));
    const step = between.step;
    between.step = async (now) => {
      await step(now);
      if (now === "closing") await look();
    };
    expect(await lifting).toMatchObject({ phase: "done" });
    expect(said.join("")).toContain("The fence was lifted meanwhile");
    // Each pause is looked at in both cells. On a busy machine there may be further pauses.
    expect(fences.length).toBeGreaterThan(3);
    expect(fences).toEqual(fences.map((_, at) => (at % 2 === 0 ? null : "arriving main")));
    expect([await fenceIn(first, merchantId), await fenceIn(second, merchantId)]).toEqual(["left eu2", null]);
  });
});
