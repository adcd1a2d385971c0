// The fake provider's book: its record by reference, and the reports derived from it.
import { createHash } from "node:crypto";
import { type Line, openRecord, readRecord } from "./record";
import { type Creation, type Kind, type Report, sumOf } from "./wire";

export interface Entry {
  readonly kind: Kind;
  readonly creation: Creation;
  readonly digest: string;
  status: string;
  /** Minor units moved so far. */
  moved: bigint;
  confirmed: boolean;
}

/** True while the payer can still pay it. */
export function isPayable({ status, moved }: Entry): boolean {
  return status === "accepted" && moved === 0n;
}

const MOVED_STATUS: Readonly<Record<Kind, string>> = {
  payments: "succeeded",
  payouts: "settled",
  topups: "funds_seen",
};

export class Book {
  readonly lines: Line[] = [];
  private readonly entries = new Map<string, Entry>();
  private readonly record: ReturnType<typeof openRecord>;

  /** Loads what an earlier process wrote to the same file. */
  constructor(
    path: string,
    private readonly publicUrl: () => string,
  ) {
    for (const line of readRecord(path)) this.apply(line);
    this.record = openRecord(path);
  }

  find(reference: string): Entry | null {
    return this.entries.get(reference) ?? null;
  }

  /**
   * Accepts a creation once and executes a payout with it. Returns false if the reference belongs to another request.
   */
  accept(kind: Kind, body: string, event: "accepted" | "declined" | "invalid_recipient"): boolean {
    const creation = withoutAccount(JSON.parse(body) as Creation);
    const digest = createHash("sha256").update(body).digest("hex");
    const known = this.find(creation.reference);
    if (known) return known.digest === digest;
    const core = {
      at: new Date().toISOString(),
      kind,
      reference: creation.reference,
      merchant_id: creation.merchant_id,
    };
    const accepted: Line = { ...core, ...sumOf(creation), event: "accepted", creation, digest };
    const follows = event === "accepted" ? (kind === "payouts" ? "executed" : null) : event;
    this.write(follows ? [accepted, { ...core, ...sumOf(creation), event: follows }] : [accepted]);
    return true;
  }

  /** Records an event of an accepted intent; the amount defaults to the intent's own. */
  note(reference: string, event: Line["event"], changes: Partial<Pick<Line, "amount" | "confirmed">> = {}): void {
    const entry = this.find(reference);
    if (!entry) throw new RangeError(`no intent ${reference}`);
    const { kind, creation } = entry;
    const core = { at: new Date().toISOString(), event, kind, reference, merchant_id: creation.merchant_id };
    this.write([{ ...core, ...sumOf(creation), ...changes }]);
  }

  /** Reports on an accepted intent. A payout is `pending` in the answer to its creation and settled afterwards. */
  report(entry: Entry, moment: "creation" | "question" | "callback"): Report {
    const { kind, creation } = entry;
    const core = { reference: creation.reference, provider_reference: `fake_${entry.digest.slice(0, 16)}` };
    if (kind === "payouts" && entry.moved > 0n && moment === "creation") return { ...core, status: "pending" };
    if (entry.moved > 0n) {
      const sum = { amount: entry.moved.toString(), currency: sumOf(creation).currency };
      const more =
        kind === "topups" ? { confirmed: entry.confirmed } : { receipt_id: `rcp_${entry.digest.slice(0, 16)}` };
      return { ...core, status: MOVED_STATUS[kind], ...sum, ...more };
    }
    if (entry.status === "accepted")
      return { ...core, status: "requires_action", next_action: this.instructions(entry) };
    return { ...core, status: entry.status, code: "fake_51", message: "The fake provider refused." };
  }

  close(): void {
    this.record.close();
  }

  private instructions({ kind, creation, digest }: Entry): object {
    if (kind === "topups") return { address: `0x${digest.slice(0, 40)}`, network: creation.source?.network };
    if (creation.next_action_type === "display_qr_code") return { type: "display_qr_code", data: `FAKE-QR-${digest}` };
    if (creation.next_action_type === "display_bank_transfer_instructions") {
      const account = {
        network: "FAKE",
        bank_name: "Fake Bank",
        bank_code: "000",
        account_holder_name: "Fake Provider",
      };
      const financial_addresses = [{ ...account, account_number: digest.replace(/[a-f]/g, "0").slice(0, 12) }];
      return { type: "display_bank_transfer_instructions", reference: digest.slice(0, 10), financial_addresses };
    }
    return { type: "redirect_to_url", url: `${this.publicUrl()}/pay/${creation.reference}` };
  }

  private write(lines: readonly Line[]): void {
    this.record.append(lines);
    for (const line of lines) this.apply(line);
  }

  private apply(line: Line): void {
    this.lines.push(line);
    const { creation, digest, kind, reference } = line;
    if (line.event === "accepted" && creation && digest) {
      this.entries.set(reference, { kind, creation, digest, status: "accepted", moved: 0n, confirmed: false });
      return;
    }
    const entry = this.find(reference);
    if (!entry) return;
    if (line.event === "executed") {
      entry.moved += BigInt(line.amount);
      entry.confirmed = line.confirmed ?? true;
    } else entry.status = line.event;
  }
}

function withoutAccount(creation: Creation): Creation {
  if (!creation.recipient) return creation;
  const { account_number = "", ...recipient } = creation.recipient;
  return { ...creation, recipient: { ...recipient, account_last4: account_number.slice(-4) } };
}
