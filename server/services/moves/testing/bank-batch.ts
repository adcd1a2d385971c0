// A payment and the bank transfer that settles it, in a provider's settlement file; operators may book the transfer by hand.
import { runCommand } from "@/server/cli/testing/run-command";
import type { CallContext } from "@/server/domain/scope";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { withinMerchant } from "@/server/platform/reach";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../../idempotency/completion";
import { createPaymentIntent } from "../../payments/create";
import { reconcile } from "../../reconciliation/reconcile";
import { previewUpload, storeUpload } from "../../reconciliation/upload";
import { simulate } from "../../sandbox/simulate";
import { main, sql } from "./three-cells";

const HEADER = "line_id,kind,reference,provider_reference,amount,currency,fee,settled_at,batch";
const TRANSFER =
  "--environment test --from bank --to provider_clearing --provider sandbox --currency BRL --amount 1020 --operator Eva --evidence seen";

const textOf = (lines: readonly string[]) => `${[HEADER, ...lines].join("\n")}\n`;

/** The operator imports a file of these lines; returns their verdicts. */
export async function importLines(...lines: readonly string[]) {
  const bytes = new TextEncoder().encode(textOf(lines));
  const file = { provider: "sandbox", environment: "test", name: "f.csv", bytes, from: null, to: null } as const;
  return (await reconcile(file)).lines.map(({ verdict }) => verdict);
}

/** A batch in the cell: the bank line adds up with the fee only. */
export interface BankBatch {
  readonly merchantId: string;
  readonly context: CallContext;
  readonly bankLineId: string;
  readonly paid: string;
  readonly bank: string;
  readonly fee: string;
}

export async function makeBankBatch(cell: Cell): Promise<BankBatch> {
  const { merchantId, context } = await inCell(cell, () => makeMerchant());
  const id = await inCell(cell, async () => {
    const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
    await simulate(context, intent.id, "succeeded");
    return intent.id;
  });
  const day = new Date(Date.now() - 3_600_000).toISOString();
  return {
    merchantId,
    context,
    bankLineId: `b-${id}`,
    paid: `l-${id},payment,${id},p-${id},1050,BRL,0,${day},b-${id}`,
    bank: `b-${id},bank_credit,,x-${id},1020,BRL,0,${day},b-${id}`,
    fee: `f-${id},fee,${id},f-${id},30,BRL,0,${day},b-${id}`,
  };
}

/** A member of the batch's merchant uploads the payment and the bank line. */
export async function uploadPart({ merchantId, context, bankLineId, paid, bank }: BankBatch): Promise<void> {
  await inCell(main(), async () => {
    const id = await makeMember(merchantId, `finance-${bankLineId}@shop.example`, "finance");
    const member: CallContext = { ...context, actor: { type: "member", id } };
    await withinMerchant(merchantId, async () => {
      const file = { provider: "sandbox", name: "m.csv", text: textOf([paid, bank]) };
      const { digest } = await previewUpload(member, file);
      return storeUpload(member, { ...file, digest });
    });
  });
}

/** Proposes an entry for the merchant about the open exception of the bank line in the cell; an empty owner is nobody. */
export async function proposeTransfer(merchantId: string, { bankLineId }: BankBatch, cell: Cell, owner = "") {
  const open = "SELECT id FROM exception WHERE object_id = $1 AND merchant_id = $2 AND resolved_at IS NULL";
  const [missing] = await sql(cell, open, bankLineId, owner);
  const about = ["--merchant", merchantId, "--exception", String(missing?.["id"])];
  return String((await runCommand("journal", "propose", ...TRANSFER.split(" "), ...about))["id"]);
}

export const confirmTransfer = (id: string) => runCommand("journal", "confirm", "--id", id, "--operator", "Ole");

/** What the operator's bank account holds, over all cells that this process knew at first; below zero, as the bank has it. */
export async function inBank(cells: readonly Cell[] = allCells()): Promise<bigint> {
  const text = `SELECT coalesce(sum(e.amount), 0)::text AS sum FROM ledger_entry e JOIN merchant m ON m.id = e.merchant_id
    WHERE e.kind = 'bank'`;
  const sums = await Promise.all(cells.map(async (cell) => BigInt(String((await sql(cell, text))[0]?.["sum"]))));
  return sums.reduce((total, sum) => total + sum, 0n);
}

export const TRANSFERRED = 1_020n;
