// The resulting state of an intent, read from the service's API and database.
import type { Api } from "../../support/api";
import type { Actual } from "../oracle/observation";
import type { Kind } from "../world/history";
import type { Booked, ServiceDatabase } from "./database";

export const PATHS: Readonly<Record<Kind, string>> = {
  payment: "payment_intents",
  payout: "payout_intents",
  topup: "topup_intents",
};

export interface Place {
  readonly api: Api;
  readonly database: ServiceDatabase;
  /** The wallet's currency. */
  readonly currency: string;
}

export async function readActual({ api, database, currency: wallet }: Place, kind: Kind, id: string): Promise<Actual> {
  const [{ body }, booked, exceptions, events] = await Promise.all([
    api.get(`/${PATHS[kind]}/${id}`),
    database.bookedFor(id),
    database.exceptionsOf(id),
    database.eventsOf(id),
  ]);
  const { status, failure_code: failureCode } = body as { status: string; failure_code: string | null };
  return { status, failureCode, ...walletOf(booked, wallet), exceptions, events };
}

/** The part of what was booked for an intent that is in the wallet of this currency, and in suspense. */
export function walletOf(booked: readonly Booked[], wallet: string): Pick<Actual, "wallet" | "held" | "suspense"> {
  const sum = (...kinds: string[]) =>
    booked
      .filter((one) => kinds.includes(one.kind) && one.currency === wallet)
      .reduce((total, { amount }) => total + BigInt(amount), 0n);
  const suspense = booked.filter((one) => one.kind === "suspense" && one.amount !== "0");
  return {
    wallet: sum("available", "held"),
    held: sum("held"),
    suspense: Object.fromEntries(suspense.map(({ currency, amount }) => [currency, BigInt(amount)])),
  };
}
