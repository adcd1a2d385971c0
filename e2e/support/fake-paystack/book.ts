// The fake Paystack's books: one account in one environment, with its own memory of every reference.
import { randomInt } from "node:crypto";
import { type Owner, type Recipient, recipientObject, type Transaction, type Transfer } from "./objects";

const TRANSACTION_REFERENCE = /^[A-Za-z0-9.=-]{1,100}$/;
const TRANSFER_REFERENCE = /^[a-z0-9_-]{16,50}$/;

/** An error as Paystack answers it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** Ids are unique over all accounts and runs, as those of Paystack are. */
let lastId = randomInt(1_000_000, 2_000_000_000);

type Body = Readonly<Record<string, unknown>>;

function required(body: Body, ...names: readonly string[]): void {
  for (const name of names) {
    if (body[name] === undefined || body[name] === "") throw new Refusal(400, `${name} is required`, "missing_params");
  }
}

export class Account {
  readonly transactions = new Map<string, Transaction>();
  readonly transfers = new Map<string, Transfer>();
  readonly recipients: Recipient[] = [];
  readonly customers: string[] = [];
  /** References of transfers in the order in which money left. */
  readonly executions: string[] = [];
  balance = 1_000_000_000;
  /** The status of new transfers. */
  firstStatus = "pending";
  constructor(readonly owner: Owner) {}

  private nextId(): number {
    lastId += 1;
    return lastId;
  }

  initialize(body: Body): Transaction {
    required(body, "email", "amount");
    const { reference, amount, email, channels, metadata, currency = "NGN" } = body;
    if (typeof reference !== "string" || !TRANSACTION_REFERENCE.test(reference)) {
      throw new Refusal(400, "Invalid transaction reference", "invalid_params");
    }
    if (this.transactions.has(reference)) {
      throw new Refusal(400, "Duplicate Transaction Reference", "duplicate_reference");
    }
    if (!this.customers.includes(String(email))) this.customers.push(String(email));
    const transaction: Transaction = {
      id: this.nextId(),
      reference,
      requested: Number(amount),
      amount: Number(amount),
      currency: String(currency),
      channel: String((channels as string[] | undefined)?.[0]),
      email: String(email),
      metadata: (metadata as object | undefined) ?? {},
      status: "abandoned",
    };
    this.transactions.set(reference, transaction);
    return transaction;
  }

  /** A known account number returns the existing record, whatever else the request says. */
  recipient(body: Body): Recipient {
    required(body, "type", "name", "account_number", "bank_code");
    const { currency = "NGN" } = body;
    const known = this.recipients.find(({ account }) => account === body.account_number);
    if (known) return known;
    const id = this.nextId();
    const recipient: Recipient = {
      id,
      code: `RCP_${id}`,
      type: String(body.type),
      name: String(body.name),
      currency: String(currency),
      account: String(body.account_number),
      bank: String(body.bank_code),
    };
    this.recipients.push(recipient);
    return recipient;
  }

  /** A reference is used once for ever. */
  transfer(body: Body): Transfer {
    required(body, "source", "amount", "recipient", "reference");
    const { reference, amount, currency = "NGN" } = body;
    const recipient = this.recipients.find(({ code }) => code === body.recipient);
    if (!recipient) throw new Refusal(400, "Recipient specified is invalid", "invalid_transfer_recipient");
    if (typeof reference !== "string" || !TRANSFER_REFERENCE.test(reference)) {
      throw new Refusal(400, "Transfer reference contains illegal characters", "invalid_params");
    }
    if (this.transfers.has(reference)) {
      throw new Refusal(400, "Please provide a unique reference. Reference already exists on a transfer", "duplicate");
    }
    if (Number(amount) > this.balance) throw new Refusal(400, "Your balance is not enough to fulfil this request");
    const id = this.nextId();
    const [code, status] = [`TRF_${id}`, this.firstStatus];
    const transfer = { id, code, reference, amount: Number(amount), currency: String(currency), recipient, status };
    this.transfers.set(reference, transfer);
    this.balance -= transfer.amount;
    this.executions.push(reference);
    return transfer;
  }

  findTransaction(reference: string): Transaction {
    const found = this.transactions.get(reference);
    if (found) return found;
    throw new Refusal(400, "Transaction reference not found.", "transaction_not_found");
  }

  findTransfer(reference: string): Transfer {
    const found = this.transfers.get(reference);
    if (!found) throw new Refusal(404, "Transfer not found");
    return found;
  }

  recipientObjects(): object[] {
    return this.recipients.map((recipient) => recipientObject(this.owner, recipient));
  }
}
