// Paystack's objects with every member that its OpenAPI document requires, written from that document alone.

const AT = "2026-11-24T09:00:00.000Z";

export interface Transaction {
  readonly id: number;
  readonly reference: string;
  readonly requested: number;
  readonly currency: string;
  readonly channel: string;
  readonly email: string;
  readonly metadata: object;
  status: string;
  /** What the payer paid, with fees that the payer bears. */
  amount: number;
}

export interface Recipient {
  readonly id: number;
  readonly code: string;
  readonly type: string;
  readonly name: string;
  readonly currency: string;
  readonly account: string;
  readonly bank: string;
}

export interface Transfer {
  readonly id: number;
  readonly code: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly recipient: Recipient;
  status: string;
}

/** The account that the objects belong to. */
export interface Owner {
  readonly integration: number;
  readonly domain: "test" | "live";
}

export function customerObject(owner: Owner, email: string, id: number): object {
  const none = { first_name: null, last_name: null, phone: null, metadata: null };
  const times = { createdAt: AT, updatedAt: AT };
  return { ...owner, ...none, ...times, id, email, customer_code: `CUS_${id}`, risk_action: "default" };
}

export function transactionObject({ domain }: Owner, transaction: Transaction): object {
  const { id, reference, requested, currency, channel, email, metadata, status, amount } = transaction;
  const paidAt = status === "success" ? AT : null;
  const absent = { receipt_number: null, message: null, log: null, fees: null, fees_split: null, plan: null };
  const others = { order_id: null, pos_transaction_data: null, source: null, fees_breakdown: null, connect: null };
  const customer = {
    id: id + 1,
    first_name: null,
    last_name: null,
    email,
    customer_code: `CUS_${id + 1}`,
    phone: null,
    metadata: null,
    risk_action: "default",
    international_format_phone: null,
  };
  return {
    ...absent,
    ...others,
    id,
    domain,
    status,
    reference,
    amount,
    gateway_response: status === "success" ? "Successful" : "The transaction was not completed",
    paid_at: paidAt,
    created_at: AT,
    channel,
    currency,
    ip_address: "192.0.2.7",
    metadata,
    authorization: {},
    customer,
    split: {},
    paidAt,
    createdAt: AT,
    requested_amount: requested,
    transaction_date: AT,
    plan_object: {},
    subaccount: {},
  };
}

export function recipientObject(owner: Owner, { id, code, type, name, currency, account, bank }: Recipient): object {
  const details = {
    authorization_code: null,
    account_number: account,
    account_name: name,
    bank_code: bank,
    bank_name: "Example Bank",
  };
  return {
    ...owner,
    active: true,
    createdAt: AT,
    currency,
    description: "",
    email: "",
    id,
    metadata: null,
    name,
    recipient_code: code,
    type,
    updatedAt: AT,
    is_deleted: false,
    isDeleted: false,
    details,
  };
}

/** A transfer as in the answer to its creation, where the recipient is an id, or to a poll, where it is an object. */
export function transferObject(owner: Owner, transfer: Transfer, moment: "creation" | "poll"): object {
  const { id, code, reference, amount, currency, recipient, status } = transfer;
  const nulls = { failures: null, source_details: null, titan_code: null, transferred_at: null };
  const times = { createdAt: AT, updatedAt: AT };
  const core = { ...owner, ...nulls, ...times, amount, currency, id, reason: "", reference, source: "balance", status };
  const own =
    moment === "creation"
      ? { transfersessionid: [], transfertrials: [], request: id + 1, recipient: recipient.id }
      : { recipient: recipientObject(owner, recipient), session: { provider: null, id: null }, gateway_response: null };
  return { ...core, ...own, transfer_code: code };
}
