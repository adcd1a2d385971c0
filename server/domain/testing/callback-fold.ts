// What callbacks mean when they are read one by one, written from the rules alone: what the service is compared with.

/** One callback, as a provider writes it. */
export interface CallbackReport {
  readonly status: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly provider_reference: string;
}

/** Where an intent of 10.50 BRL stands, and what it brought into each account, in minor units. */
export interface Reading {
  readonly status: string;
  /** Available and held together; a payout's hold is no change of it. */
  readonly wallet: bigint;
  /** Per currency, those that are not zero. */
  readonly suspense: Readonly<Record<string, bigint>>;
}

export const AMOUNT = "1050";
const CURRENCY = "BRL";

/** What each piece of news that moves no money makes of an open intent. */
const ENDS: Readonly<Record<string, string>> = {
  declined: "failed",
  invalid_recipient: "failed",
  cancelled: "failed",
  expired: "expired",
};

const isRight = ({ amount, currency }: CallbackReport) => amount === AMOUNT && currency === CURRENCY;

interface Suspense {
  readonly sums: Record<string, bigint>;
  readonly known: Set<string>;
}

/** Keeps money of the provider apart once under its `name`. */
function keep({ sums, known }: Suspense, { status, amount = "0", currency = "" }: CallbackReport, name: string): void {
  const key = `${status} ${name}`;
  if (known.has(key)) return;
  known.add(key);
  const sum = status === "settled" ? -BigInt(amount) : BigInt(amount);
  sums[currency] = (sums[currency] ?? 0n) + sum;
}

function reading(status: string, wallet: bigint, { sums }: Suspense): Reading {
  const kept = Object.entries(sums).filter(([, sum]) => sum !== 0n);
  return { status, wallet, suspense: Object.fromEntries(kept.toSorted(([a], [b]) => a.localeCompare(b))) };
}

/** A payment: the first right sum pays it while it is open, each other sum under a reference is kept apart once. */
export function readPayment(callbacks: readonly CallbackReport[]): Reading {
  const suspense: Suspense = { sums: {}, known: new Set() };
  let status = "processing";
  let paidBy: string | null = null;
  for (const told of callbacks) {
    if (told.status !== "succeeded") {
      if (status === "processing") status = ENDS[told.status] ?? status;
    } else if (status === "processing" && isRight(told)) {
      status = "succeeded";
      paidBy = told.provider_reference;
    } else if (!(isRight(told) && told.provider_reference === paidBy)) {
      keep(suspense, told, `${told.provider_reference} ${told.currency} ${told.amount}`);
    }
  }
  return reading(status, status === "succeeded" ? BigInt(AMOUNT) : 0n, suspense);
}

/**
 * A payout: the first settlement in full, or return of what must then have left, ends it. A settlement of another sum moves
 * nothing, and keeps the payout from failing until a person has resolved it. What left after a failure is owed by suspense
 * until it is cleared up; what came back of a payout that has failed is kept there too. Either way a reference names one
 * movement: its first sum counts, and another sum under it waits for a person.
 */
export function readPayout(callbacks: readonly CallbackReport[]): Reading {
  const suspense: Suspense = { sums: {}, known: new Set() };
  let status = "processing";
  let returned: bigint | null = null;
  let contradicted = false;
  for (const told of callbacks) {
    const { amount = "0" } = told;
    if (told.status === "settled") {
      if (status === "processing" && isRight(told)) status = "succeeded";
      else if (status === "processing") contradicted = true;
      else if (status === "failed") keep(suspense, told, told.provider_reference);
    } else if (told.status === "returned") {
      if (status === "failed") keep(suspense, told, told.provider_reference);
      else {
        status = "succeeded";
        returned ??= BigInt(amount);
      }
    } else if (status === "processing" && !contradicted) status = ENDS[told.status] ?? status;
  }
  return reading(status, status === "succeeded" ? (returned ?? 0n) - BigInt(AMOUNT) : 0n, suspense);
}
