// A merchant passes only between cells whose clocks agree, and not out of a pause of dispatch.
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect } from "@/server/db/client";
import { type Owner, openOwner } from "@/server/db/moves/owner";
import { asOwnerOf } from "@/server/db/testing/move-by-hand";
import { openTwoCells, type TwoCells } from "@/server/db/testing/second-cell";
import { type Cell, inCell } from "@/server/platform/cell";
import { reachEveryMerchant } from "@/server/platform/reach";
import { pauseDispatch, prepareDispatch, resumeDispatch, showDispatch } from "@/server/services/dispatch/control";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { catchStandardError } from "@/server/testing/standard-error";
import { requireAgreement } from "./agreement";
import { fenceIn, rowsOf } from "./testing/rows";

// Bounds for what hangs: two cores may be shared.
vi.setConfig({ testTimeout: 180_000 });

const EVERYTHING = { provider: null, merchantId: null, currency: null };

let cells: TwoCells;
let first: Cell;
let second: Cell;
let merchantId: string;
let said: string[];

beforeAll(async () => {
  reachEveryMerchant();
  cells = await openTwoCells();
  ({ first, second } = cells);
  for (const cell of [first, second]) await inCell(cell, prepareDispatch);
  catchStandardError((line) => said.push(line));
});
beforeEach(async () => {
  said = [];
  ({ merchantId } = await inCell(first, makeLiveMerchant));
});
afterEach(async () => {
  for (const cell of [first, second]) await inCell(cell, endPauses);
});
afterAll(async () => {
  await disconnect();
  await cells.end();
});

const move = () => runCommand("merchants", "move", "--merchant", merchantId, "--to", second.name, "--experimental");

/** Makes a cell's database look like one from a backup. */
const restore = (cell: Cell) =>
  asOwnerOf(cell, (client) =>
    client.query("UPDATE installation SET database_identity = database_identity || '-before'"),
  );
async function endPauses(): Promise<void> {
  await resumeDispatch(EVERYTHING, "The test is over.");
  for (const { provider, merchantId: of, currency } of (await showDispatch()).open)
    await resumeDispatch({ provider, merchantId: of, currency }, "The test is over.");
}

const resume = (cell: Cell) => inCell(cell, () => resumeDispatch(EVERYTHING, "Reconciled."));

async function expectRefusal(text: string): Promise<void> {
  expect(await move()).toMatchObject({ code: "validation_failed", message: expect.stringContaining(text) as string });
  const begun = (await runCommand("merchants", "moves"))["data"] as { merchant_id: string }[];
  expect(begun.filter((one) => one.merchant_id === merchantId)).toEqual([]);
}

describe("payouts that wait after a restore", () => {
  it.each(["first", "second"] as const)(
    "in the %s cell keep a merchant from moving, until they are resumed",
    async (which) => {
      const cell = cells[which];
      await restore(cell);
      await expectRefusal(`${cell.name} was restored or failed over, and its payouts wait`);
      await resume(cell);
      expect(await move()).toMatchObject({ phase: "done" });
    },
  );
});

describe("a pause of dispatch in the old cell", () => {
  it.each([
    ["everything", EVERYTHING, EVERYTHING],
    ["everything to a provider", { ...EVERYTHING, provider: "sandbox" }, EVERYTHING],
    ["what is in BRL", { ...EVERYTHING, currency: "BRL" }, { ...EVERYTHING, currency: "BRL" }],
  ])("of %s must hold in the new one too", async (_what, here, there) => {
    await inCell(first, () => pauseDispatch(here, "An incident."));
    await expectRefusal("which is paused in main");
    await inCell(second, () => pauseDispatch({ ...EVERYTHING, currency: "MXN" }, "Another incident."));
    await expectRefusal("which is paused in main");
    await inCell(second, () => pauseDispatch(there, "The same incident."));
    expect(await move()).toMatchObject({ phase: "done" });
  });

  it("that is the merchant's own moves with it", async () => {
    await inCell(first, () => pauseDispatch({ ...EVERYTHING, merchantId }, "An incident."));
    expect(await move()).toMatchObject({ phase: "done" });
    expect(Object.keys(await rowsOf(second, merchantId))).toContain("dispatch_pause");
  });

  it("that begins during the move keeps the merchant where it is, open", async () => {
    const slow = new Client({ connectionString: first.databaseUrl ?? "", application_name: "psql" });
    await slow.connect();
    await slow.query("BEGIN; SELECT 1");
    const moving = move();
    const early = moving.then((answer) => expect(answer).toBe("not there yet"));
    try {
      const waits = vi.waitFor(() => expect(said.join("")).toContain("(psql) did not end"), 50_000);
      await Promise.race([waits, early]);
      await inCell(first, () => pauseDispatch(EVERYTHING, "An incident."));
    } finally {
      await slow.end();
      early.catch(() => undefined);
    }
    expect(await moving).toMatchObject({ message: expect.stringContaining("which is paused in main") as string });
    expect(await fenceIn(first, merchantId)).toBeNull();
    await resume(first);
    expect(await move()).toMatchObject({ phase: "done" });
  });
});

it("a cell that derives references lets no merchant go to one that does not", async () => {
  const derive = (cell: Cell, key: "now(), 'a-key'" | "NULL, NULL") =>
    asOwnerOf(cell, (client) =>
      client.query(`SET session_replication_role = replica;
                    UPDATE installation SET (references_derived_at, reference_key_id) = (${key})`),
    );
  await derive(first, "now(), 'a-key'");
  await expectRefusal("eu2 does not derive references");
  await derive(second, "now(), 'a-key'");
  expect(await move()).toMatchObject({ phase: "done" });
  for (const cell of [first, second]) await derive(cell, "NULL, NULL");
});

it("a cell that notifies the operator lets no merchant go to one that does not", async () => {
  const add = () =>
    runCommand(..."notifications add --environment live --channel webhook --url https://8.8.8.8/ops".split(" "));
  const forget = (cell: Cell) =>
    asOwnerOf(cell, (client) => client.query("DELETE FROM notification_registration WHERE merchant_id = ''"));
  expect(await add()).not.toHaveProperty("code");
  // As in a cell that was added since.
  await forget(second);
  await expectRefusal("eu2 does not notify the operator of");
  await add();
  expect(await move()).toMatchObject({ phase: "done" });
  for (const cell of [first, second]) await forget(cell);
});

describe("clocks that differ", () => {
  const SHIFTS = [
    [1_500, "eu2 has a clock that is 1.5 s ahead of that of main"],
    [-30_000, "eu2 has a clock that is 30.0 s behind that of main"],
  ] as const;

  async function withOwners(work: (from: Owner, to: Owner) => Promise<void>): Promise<void> {
    const owners = await Promise.all([first, second].map(openOwner));
    try {
      await work(owners[0] as Owner, owners[1] as Owner);
    } finally {
      for (const owner of owners) await owner.end();
    }
  }

  /** The cell as if its server's clock went ahead by that time, in ms. */
  const shifted = (owner: Owner, aheadMs: number): Owner => ({
    ...owner,
    query: (sql, ...values) =>
      owner.query(sql.replace("clock_timestamp()", `clock_timestamp() + interval '${aheadMs} ms'`), ...values),
  });

  it.each(SHIFTS)("by %d ms refuse a move", (aheadMs, text) =>
    withOwners(async (from, to) => {
      // Half of the round trip is the reading's tolerance, so the figure may differ in its last digit on a busy machine.
      const [begin, end] = text.split(/\d+\.\d/);
      const refusal = {
        code: "validation_failed",
        message: expect.stringMatching(new RegExp(`${begin}[\\d.]+${end}`)) as string,
      };
      await expect(requireAgreement(from, shifted(to, aheadMs))).rejects.toMatchObject(refusal);
    }),
  );

  it("by less than a second do not", () =>
    withOwners(async (from, to) => {
      await expect(requireAgreement(shifted(from, 400), shifted(to, -400))).resolves.toBeUndefined();
    }));

  it("are not blamed for an answer that takes long", () =>
    withOwners(async (from, to) => {
      const slow: Owner = {
        ...to,
        query: async (sql, ...values) => {
          const rows = await to.query<never>(sql, ...values);
          await new Promise((resolve) => setTimeout(resolve, 3_000));
          return rows;
        },
      };
      await expect(requireAgreement(from, slow)).resolves.toBeUndefined();
    }));
});
