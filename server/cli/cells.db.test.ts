// The command line over two cells.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { type CellsOfTest, openCellsWithMerchants, type Resident, whileAway } from "@/server/db/testing/residents";
import { inCell, inEachCell } from "@/server/platform/cell";
import { newId, tagOfId } from "@/server/platform/ids";
import { reachEveryMerchant } from "@/server/platform/reach";
import { linkAuditEntries } from "@/server/services/audit/link-entries";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { requireInvariants } from "@/server/testing/invariants";
import { payout } from "@/server/testing/merchant";
import { commandsOfNoun } from "./commands";
import { runCommand } from "./testing/run-command";

type Document = Record<string, unknown>;

let cells: CellsOfTest;
let residents: readonly Resident[];

beforeAll(async () => {
  reachEveryMerchant();
  cells = await openCellsWithMerchants("test");
  residents = [cells.ours, cells.theirs];
});
afterAll(async () => {
  await inEachCell(requireInvariants);
  await disconnect();
  await cells.end();
});

const run = (line: string): Promise<Document> => runCommand(...line.split(" "));
const rowsOf = (document: Document) => document["data"] as Document[];
const partsOf = (document: Document) => document["cells"] as Document[];
async function hasSucceeded(name: string, document: Document): Promise<boolean | undefined> {
  const commands = await commandsOfNoun(name.split(" "));
  return commands.find((command) => command.name === name)?.succeeded?.(document);
}

describe("a command about a merchant", () => {
  it("works in the cell of the merchant's tag", async () => {
    for (const { cell, merchant } of residents) {
      const { merchantId } = merchant;
      await run(`merchants set-name --merchant ${merchantId} --name In-${cell.name}`);
      const sql = "SELECT name FROM merchant WHERE id = $1";
      expect(await inCell(cell, () => query(sql, merchantId))).toEqual([{ name: `In-${cell.name}` }]);
      const wallets = await run(`wallets show --merchant ${merchantId} --environment test`);
      expect(rowsOf(wallets)).toMatchObject([{ currency: "BRL" }]);
    }
  });

  it("finds none under a forged tag, as for an unknown merchant", async () => {
    const { merchantId } = cells.theirs.merchant;
    const forge = (by: string) => merchantId.replace(/^(mer_.{11})e2/, `$1${by}`);
    const unknown = await run("keys list --merchant mer_01h455vb4pex5vsknk084sn02q --environment test");
    expect(unknown).toMatchObject({ code: "not_found" });
    for (const forged of [forge("zz"), forge("E2"), merchantId.toUpperCase()])
      expect(await run(`keys list --merchant ${forged} --environment test`)).toEqual(unknown);
  });
});

describe("a command about a key or an object", () => {
  it("works in the cell of its tag", async () => {
    for (const { cell, merchant } of residents) {
      const { merchantId } = merchant;
      const key = await run(`keys create --merchant ${merchantId} --environment test`);
      const revoked = await run(`keys revoke --public-key ${String(key["public_key"])}`);
      expect(revoked).toMatchObject({ public_key: key["public_key"], revoked_at: expect.any(String) });
      const entry = await run(
        `journal propose --merchant ${merchantId} --environment test --from fees --to funding --currency BRL --amount 1 --evidence x --operator Eva`,
      );
      expect(tagOfId(String(entry["id"]))).toBe(cell.tag);
      const rejected = await run(`journal reject --id ${String(entry["id"])} --operator Eva`);
      expect(rejected).toMatchObject({ merchant_id: merchantId, state: "rejected" });
    }
  });

  it("cancels a payout as a member of its cell, though the address belongs to members of both", async () => {
    for (const { cell, merchant } of residents) {
      const { merchantId, context } = merchant;
      await run(`members create --merchant ${merchantId} --email eva@example.com --roles admin`);
      const create = () => createPayoutIntent(context, payout(), withoutIdempotency());
      const { id } = (await inCell(cell, create)).intent;
      const cancelled = await run(`payouts cancel --id ${id} --as eva@example.com`);
      expect(cancelled).toMatchObject({ id, status: "cancelled" });
    }
  });
});

describe("merchants create", () => {
  it("makes a merchant, with keys, in the cell that is named, or in the first", async () => {
    const count = () =>
      inEachCell(async () => (await query<{ n: number }>("SELECT count(*)::int AS n FROM merchant"))[0]?.n);
    const [first = 0, second = 0] = await count();
    const made = await run("merchants create --name Shop --currencies BRL --with-keys --cell eu2");
    expect(tagOfId(String(made["id"]))).toBe("e2");
    expect(made["keys"]).toMatchObject({ test: { public_key: expect.stringMatching(/^pk_test_e2_/) as string } });
    expect(tagOfId(String((await run("merchants create --name Shop --currencies BRL"))["id"]))).toBe("");
    expect(await count()).toEqual([first + 1, second + 1]);
  });

  it("refuses a cell that is not configured", async () => {
    const refused = await run("merchants create --name Shop --currencies BRL --cell eu3");
    expect(refused).toMatchObject({ code: "validation_failed", message: "cell must be one of main, eu2" });
  });
});

describe("a command about everything", () => {
  it("joins the lists of all cells, and names the cell of each row", async () => {
    const rows = rowsOf(await run("journal list"));
    const merchants = residents.map(({ cell, merchant }) => [cell.name, merchant.merchantId]);
    expect(rows.map((row) => [row["cell"], row["merchant_id"]])).toEqual(merchants);
    const own = await run(`journal list --merchant ${cells.theirs.merchant.merchantId}`);
    expect(rowsOf(own).map((row) => row["merchant_id"])).toEqual([cells.theirs.merchant.merchantId]);
  });

  it("shows the documents of all cells beside each other, and succeeds if each has", async () => {
    const document = await run("invariants");
    expect(partsOf(document).map(({ cell, violations }) => [cell, violations])).toEqual([
      ["main", 0],
      ["eu2", 0],
    ]);
    expect(await hasSucceeded("invariants", document)).toBe(true);
    const broken = {
      cells: [
        { cell: "main", violations: 0 },
        { cell: "eu2", violations: 1 },
      ],
    };
    expect(await hasSucceeded("invariants", broken)).toBe(false);
  });

  it("pauses dispatch in all cells, and of a merchant only in its own", async () => {
    const pausesIn = () =>
      inEachCell(async () => (await query("SELECT FROM dispatch_pause WHERE resumed_at IS NULL")).length);
    expect(partsOf(await run("dispatch pause --reason all"))).toHaveLength(2);
    expect(await pausesIn()).toEqual([1, 1]);
    await run(`dispatch pause --reason one --merchant ${cells.theirs.merchant.merchantId}`);
    expect(await pausesIn()).toEqual([1, 2]);
    await run("dispatch resume --reason all");
    await run(`dispatch resume --reason one --merchant ${cells.theirs.merchant.merchantId}`);
    expect(await pausesIn()).toEqual([0, 0]);
  });

  it("is refused with the first cell's reason if all cells refuse", async () => {
    expect(await run("dispatch resume --reason x --provider sandbox")).toMatchObject({ code: "not_found" });
  });

  it("works in the others while a cell is away, names that one and fails", async () => {
    await whileAway(cells, async () => {
      const paused = await run("dispatch pause --reason away");
      expect(partsOf(paused)).toMatchObject([{ cell: "main", reason: "away" }]);
      expect(paused["failed_cells"]).toMatchObject([{ cell: "eu2", code: "service_unavailable" }]);
      expect(await hasSucceeded("dispatch pause", paused)).toBe(false);
      await run("dispatch resume --reason away");
      const merchantId = cells.theirs.merchant.merchantId;
      expect(await run(`wallets show --merchant ${merchantId} --environment test`)).toMatchObject({
        code: "service_unavailable",
      });
    });
  });
});

describe("audit verify", () => {
  beforeAll(async () => {
    await inEachCell(linkAuditEntries);
  });

  it("compares each cell with its own part of an earlier report", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-anchors-"));
    const file = join(folder, "anchors.json");
    const report = await run("audit verify");
    expect(await hasSucceeded("audit verify", report)).toBe(true);
    await writeFile(file, JSON.stringify(report));
    const again = await run(`audit verify --anchors ${file}`);
    expect(partsOf(again).map(({ broken }) => broken)).toEqual([0, 0]);
    expect(await hasSucceeded("audit verify", again)).toBe(true);
  });

  it("of one merchant finds what a report of that merchant anchors, in a further cell too", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-anchors-"));
    const file = join(folder, "anchors.json");
    const { merchantId } = cells.theirs.merchant;
    const report = await run(`audit verify --merchant ${merchantId}`);
    const text = JSON.stringify(report);
    await writeFile(file, text);
    expect(await run(`audit verify --merchant ${merchantId} --anchors ${file}`)).toMatchObject({ broken: 0 });
    await writeFile(file, text.replace(/"last_hash":"[0-9a-f]{8}/, '"last_hash":"00000000'));
    expect(await run(`audit verify --merchant ${merchantId} --anchors ${file}`)).toMatchObject({ broken: 1 });
  });
});

describe("callbacks", () => {
  it("are listed for all cells, and shown in the cell that is named", async () => {
    const id = newId("event");
    const insert = `INSERT INTO provider_callback (provider, callback_id, body, digest, due_at, result, applied_at)
      VALUES ('acme', $1, '{}', NULL, NULL, 'ignored', now())`;
    await inCell(cells.second, () => query(insert, id));
    const [listed] = rowsOf(await run("callbacks list --provider acme"));
    expect(listed).toMatchObject({ id: `acme/${id}`, cell: "eu2" });
    expect(await run(`callbacks show --id acme/${id}`)).toMatchObject({ code: "not_found" });
    expect(await run(`callbacks show --id acme/${id} --cell eu2`)).toMatchObject({ id: `acme/${id}`, body: "{}" });
  });
});

describe("the cells themselves", () => {
  it("are listed without their credentials", async () => {
    const rows = rowsOf(await run("cells list"));
    expect(rows.map(({ name, tag }) => [name, tag])).toEqual([
      ["main", null],
      ["eu2", "e2"],
    ]);
    for (const { cell } of residents) {
      const { host, pathname } = new URL(cell.databaseUrl ?? "");
      expect(rows.find(({ name }) => name === cell.name)?.["database"]).toBe(`${host}${pathname}`);
    }
    expect(JSON.stringify(rows)).not.toContain("@");
  });

  it("show their state, also while one is away", async () => {
    const document = await run("cells status");
    expect(rowsOf(document)).toMatchObject([
      { name: "main", is_usable: true, is_migrated: true, merchants: expect.any(Number) as number },
      { name: "eu2", is_usable: true, why_not: null },
    ]);
    expect(await hasSucceeded("cells status", document)).toBe(true);
    await whileAway(cells, async () => {
      const lost = await run("cells status");
      expect(rowsOf(lost)).toMatchObject([
        { name: "main", is_usable: true },
        { name: "eu2", is_usable: false, why_not: expect.stringContaining("ECONNREFUSED") as string },
      ]);
      expect(await hasSucceeded("cells status", lost)).toBe(false);
    });
  });
});
