// The operator's imports with merchants in two cells: cells that fail in the middle, and what answers about bank lines lead to.
import { afterEach, expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { disconnect, query } from "@/server/db/client";
import { configureCells } from "@/server/db/testing/second-cell";
import { ServiceError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { type Cell, currentCell, inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import type * as BookLines from "../reconciliation/book-lines";
import type * as ImportLines from "../reconciliation/import-lines";
import { reconcile } from "../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../reconciliation/upload";
import { simulate } from "../sandbox/simulate";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const hooks = vi.hoisted(() => ({ judging: () => {}, fees: () => {}, banks: () => {} }));
vi.mock("../reconciliation/import-lines", async (original) => {
  const own = await original<typeof ImportLines>();
  const judgeWithin: typeof own.judgeWithin = async (...given) => {
    hooks.judging();
    return own.judgeWithin(...given);
  };
  return { ...own, judgeWithin };
});
vi.mock("../reconciliation/book-lines", async (original) => {
  const own = await original<typeof BookLines>();
  const bookFees: typeof own.bookFees = async (...given) => {
    hooks.fees();
    return own.bookFees(...given);
  };
  const bookBankLines: typeof own.bookBankLines = async (...given) => {
    hooks.banks();
    return own.bookBankLines(...given);
  };
  return { ...own, bookFees, bookBankLines };
});
const cells = threeCells();
afterEach(() => Object.assign(hooks, { judging: () => {}, fees: () => {}, banks: () => {} }));

const SETTLEMENT = { provider: "sandbox", environment: "test", from: null, to: null } as const;
const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const BANK = "--environment test --from bank --to provider_clearing --provider sandbox --currency BRL --amount 1050";
const textOf = (said: readonly string[]) => `${[HEADER, ...said].join("\n")}\n`;

async function importLines(...said: string[]) {
  const bytes = new TextEncoder().encode(textOf(said));
  const { lines, feesBooked, linesBanked, failedCells } = await reconcile({ ...SETTLEMENT, name: "f.csv", bytes });
  return { verdicts: lines.map(({ verdict }) => verdict), feesBooked, linesBanked, failedCells };
}

async function paying(cell: Cell = main()) {
  const { merchantId, context } = await inCell(cell, () => makeMerchant());
  const id = await inCell(cell, async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    return intent.id;
  });
  const day = new Date(Date.now() - 3_600_000).toISOString();
  return {
    merchantId,
    id,
    day,
    paid: (batch: string, fee = 0) => `l-${id},payment,${id},p-${id},1050,BRL,${fee},${day},${batch}`,
    upload: (at: Cell, ...said: string[]) =>
      inCell(at, async () => {
        const member = await makeMember(merchantId, `f-${id}-${Math.random()}@shop.example`, "finance");
        const of: CallContext = { ...context, actor: { type: "member", id: member } };
        return withinMerchant(merchantId, async () => {
          const file = { provider: "sandbox", name: "m.csv", text: textOf(said) };
          const { digest, lines } = await previewUpload(of, file);
          await storeUpload(of, { ...file, digest });
          return lines.map(({ verdict }) => verdict);
        });
      }),
  };
}
const openOf = async (cell: Cell, lineId: string, owner = "") => {
  const find =
    "SELECT id FROM exception WHERE detail->>'line_id' = $1 AND merchant_id = $2 AND resolved_at IS NULL ORDER BY opened_at DESC";
  return String((await sql(cell, find, lineId, owner))[0]?.["id"]);
};
const propose = (merchantId: string, words: string, ...about: string[]) =>
  runCommand(
    "journal",
    "propose",
    ...words.split(" "),
    "--merchant",
    merchantId,
    ...about,
    "--operator",
    "Eva",
    "--evidence",
    "seen",
  );
const confirm = (id: unknown) => runCommand("journal", "confirm", "--id", String(id), "--operator", "Ole");

const fails = (cell: string) => {
  let isDone = false;
  return () => {
    if (isDone || currentCell().name !== cell) return;
    isDone = true;
    throw new ServiceError("service_unavailable", "away", 1);
  };
};
it.each(["judging", "fees", "banks"].flatMap((at) => ["main", "eu2"].map((cell) => [at, cell] as const)))(
  "no line is lost or booked twice if an import fails at %s in %s",
  async (at, cell) => {
    const [a, b] = [await paying(), await paying(eu2())];
    const bank = `b-${b.id},bank_credit,,x,2070,BRL,0,${b.day},`;
    const said = [a.paid("", 10), b.paid("", 20), bank];
    Object.assign(hooks, { [at]: fails(cell) });
    await importLines(...said).catch(() => undefined);
    await importLines(...said);
    await importLines(...said);
    for (const [one, home] of [
      [a, main()],
      [b, eu2()],
    ] as const) {
      const rows = await sql(
        home,
        "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason LIKE 'provider_%' ORDER BY reason",
        one.merchantId,
      );
      expect(rows.map(({ reason }) => reason)).toEqual(["provider_fee", "provider_settlement"]);
    }
  },
);

it("a process that does not know eu2 imports first: nothing is lost without a batch", async () => {
  const [a, b] = [await paying(), await paying(eu2())];
  const bank = `b-${b.id},bank_credit,,x,2070,BRL,0,${b.day},`;
  const said = [a.paid("", 10), b.paid("", 20), bank];
  await disconnect();
  configureCells(null);
  await importLines(...said).catch(() => undefined);
  await cells.pointTo();
  await importLines(...said);
  const rows = await sql(
    eu2(),
    "SELECT reason FROM ledger_transaction WHERE merchant_id = $1 AND reason LIKE 'provider_%' ORDER BY reason",
    b.merchantId,
  );
  expect(rows.map(({ reason }) => reason)).toEqual(["provider_fee", "provider_settlement"]);
});

it("a bank line of a merchant that has moved is booked once by following the answers", async () => {
  const one = await paying();
  const x = `x${one.id}`;
  const bank = `b-${one.id},bank_credit,,x,1020,BRL,0,${one.day},${x}`;
  const transfer = BANK.replace("1050", "1020");
  await importLines(one.paid(x), bank);
  const nobodys = await openOf(main(), `b-${one.id}`);
  const proposed = await propose(one.merchantId, transfer, "--exception", nobodys);
  await move(one.merchantId, eu2());
  const isElsewhere = { code: "validation_failed", message: expect.stringContaining("--booked") as string };
  expect(await confirm(proposed["id"])).toMatchObject(isElsewhere);
  await runCommand("journal", "reject", "--id", String(proposed["id"]), "--operator", "Eva");
  expect(await propose(one.merchantId, transfer, "--exception", nobodys)).toMatchObject(isElsewhere);
  expect(await propose(one.merchantId, transfer, "--about", one.id)).toMatchObject(isElsewhere);
  const told = await runCommand(
    "exceptions",
    "resolve",
    "--id",
    nobodys,
    "--booked",
    "--resolution",
    "By an entry in eu2.",
  );
  expect(told).toMatchObject({ resolution: "Booked by hand: By an entry in eu2." });
  const next = await propose(one.merchantId, transfer, "--about", one.id, "--additional");
  expect(await confirm(next["id"])).toMatchObject({ state: "confirmed" });
  // The file that completes the batch.
  await importLines(one.paid(x), bank, `f-${one.id},fee,${one.id},f,30,BRL,0,${one.day},${x}`);
  const held = "SELECT sum(amount)::text AS sum FROM ledger_entry WHERE merchant_id = $1 AND kind = 'bank'";
  expect(await sql(eu2(), held, one.merchantId)).toEqual([{ sum: "-1020" }]);
});

it("a line can be said to be booked although somebody has resolved its exception, once, and not if an import has found it", async () => {
  const one = await paying();
  const x = `x${one.id}`;
  const bank = `b-${one.id},bank_credit,,x,1020,BRL,0,${one.day},${x}`;
  const fee = `f-${one.id},fee,${one.id},f,30,BRL,0,${one.day},${x}`;
  await importLines(one.paid(x), bank);
  const nobodys = await openOf(main(), `b-${one.id}`);
  const resolve = (...how: string[]) => runCommand("exceptions", "resolve", "--id", nobodys, ...how);
  await resolve("--resolution", "Their fee line comes tomorrow.");
  const told = await resolve("--resolution", "By two entries.", "--booked");
  expect(told).toMatchObject({ resolution: "Their fee line comes tomorrow." });
  const acts = await sql(
    main(),
    "SELECT after FROM audit_entry WHERE action = 'exception.note_booked' AND object_id = $1",
    nobodys,
  );
  expect(acts).toEqual([{ after: { resolution: "Booked by hand: By two entries." } }]);
  expect(await resolve("--resolution", "Again.", "--booked")).toMatchObject({ code: "validation_failed" });
  expect(await importLines(one.paid(x), bank, fee)).toMatchObject({ linesBanked: 0 });

  const found = await paying();
  const y = `x${found.id}`;
  const theirs = `b-${found.id},bank_credit,,x,1020,BRL,0,${found.day},${y}`;
  await importLines(found.paid(y), theirs);
  const open = await openOf(main(), `b-${found.id}`);
  await importLines(found.paid(y), theirs, `f-${found.id},fee,${found.id},f,30,BRL,0,${found.day},${y}`);
  const late = await runCommand("exceptions", "resolve", "--id", open, "--booked", "--resolution", "By hand.");
  expect(late).toMatchObject({ code: "validation_failed" });
});

it("a merchant's reach shows no notes and writes none", async () => {
  const one = await paying();
  const x = `x${one.id}`;
  await importLines(one.paid(x), `b-${one.id},bank_credit,,x,1020,BRL,0,${one.day},${x}`);
  await runCommand(
    "exceptions",
    "resolve",
    "--id",
    await openOf(main(), `b-${one.id}`),
    "--resolution",
    "x",
    "--booked",
  );
  expect(await sql(main(), "SELECT fact FROM hand_booked_line WHERE line_id = $1", `b-${one.id}`)).toHaveLength(1);
  await inCell(main(), () =>
    withinMerchant(one.merchantId, async () => {
      expect(await query("SELECT fact FROM hand_booked_line")).toEqual([]);
      const insert =
        "INSERT INTO hand_booked_line (environment, fact, object_id, line_id) VALUES ('test', 'duplicate:sandbox:' || repeat('0', 64), 'x', 'x')";
      await expect(query(insert)).rejects.toThrow("row-level security");
    }),
  );
});
