// BTCPay's objects with every member that the Greenfield document names for what the adapter reads.
import { randomBytes } from "node:crypto";

export type Body = Readonly<Record<string, unknown>>;

export interface Payment {
  readonly id: string;
  readonly receivedDate: number;
  readonly value: string;
  readonly fee: string;
  readonly destination: string;
  status: string;
}

export interface Invoice {
  readonly id: string;
  readonly storeId: string;
  readonly currency: string;
  readonly createdTime: number;
  readonly expirationTime: number;
  readonly monitoringExpiration: number;
  readonly checkout: Body;
  amount: string;
  metadata: Body;
  status: string;
  additionalStatus: string;
  archived: boolean;
  /** By payment method. */
  readonly methods: { readonly paymentMethodId: string; readonly destination: string; readonly payments: Payment[] }[];
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

function letters(alphabet: string, count: number): string {
  return [...randomBytes(count)].map((byte) => alphabet[byte % alphabet.length]).join("");
}

/** How addresses of a network begin. */
const HUMAN_PARTS: Readonly<Record<string, Readonly<Record<"main" | "test", string>>>> = {
  "BTC-CHAIN": { main: "bc1q", test: "bcrt1q" },
  "USDt-CHAIN": { main: "lq1qq", test: "el1qq" },
};

function newAddress(paymentMethodId: string, chain: "main" | "test"): string {
  return (HUMAN_PARTS[paymentMethodId]?.[chain] ?? "") + letters(BECH32, 38);
}

/** The id of a payment on a chain is its outpoint. */
export function newPayment(value: string, destination: string, now: number): Payment {
  const id = `${randomBytes(32).toString("hex")}-${randomBytes(1).readUInt8() % 4}`;
  return { id, receivedDate: now, value, fee: "0.0", destination, status: "Processing" };
}

export function newInvoice(storeId: string, body: Body, chain: "main" | "test"): Invoice {
  const checkout = body["checkout"] as Body;
  const [expiration, monitoring] = [Number(checkout["expirationMinutes"]), Number(checkout["monitoringMinutes"])];
  const now = Math.floor(Date.now() / 1_000);
  const paymentMethods = checkout["paymentMethods"] as readonly string[];
  return {
    id: letters(BASE58, 22),
    storeId,
    amount: String(body["amount"]),
    currency: String(body["currency"]).toUpperCase(),
    createdTime: now,
    expirationTime: now + expiration * 60,
    monitoringExpiration: now + (expiration + monitoring) * 60,
    status: "New",
    additionalStatus: "None",
    archived: false,
    metadata: (body["metadata"] ?? {}) as Body,
    checkout,
    methods: paymentMethods.map((paymentMethodId) => ({
      paymentMethodId,
      destination: newAddress(paymentMethodId, chain),
      payments: [],
    })),
  };
}

/** An invoice as the API shows it. */
export function shownInvoice(invoice: Invoice): object {
  const { methods: _methods, ...shown } = invoice;
  return {
    ...shown,
    type: "Standard",
    checkoutLink: `https://btcpay.example.com/i/${invoice.id}`,
    availableStatusesForManualMarking: ["Settled", "Invalid"],
    receipt: { enabled: null, showQR: null, showPayments: null },
  };
}

/** The payment methods of an invoice as the API shows them; `onlyAccounted` leaves out what has vanished. */
export function shownMethods({ methods, amount }: Invoice, onlyAccounted: boolean): object[] {
  return methods.map(({ paymentMethodId, destination, payments }) => ({
    paymentMethodId,
    currency: paymentMethodId.replace(/-.*/, ""),
    destination,
    paymentLink: `bitcoin:${destination}`,
    rate: "1",
    paymentMethodPaid: "0",
    totalPaid: "0",
    due: amount,
    amount,
    paymentMethodFee: "0",
    payments: payments.filter(({ status }) => !onlyAccounted || status !== "Invalid").map((one) => ({ ...one })),
    activated: true,
    additionalData: { keyPath: "0/1", payjoinEnabled: false, accountDerivation: null },
  }));
}
