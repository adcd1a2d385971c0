// Histories of the outside world against every built-in adapter and its hostile fake, on a real database: a reference is
// executed once, and every unit is in an account, whatever the provider does.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { env } from "@/server/platform/env";
import { configureGateways } from "@/server/psp/registry";
import { requireInvariants } from "@/server/testing/invariants";
import { makeLiveMerchant, type TestMerchant } from "@/server/testing/merchant";
import { sizeOf } from "../../support/tier";
import { ServiceDatabase } from "../service-driver/database";
import { historiesOf } from "../world/arbitrary";
import type { History, Kind } from "../world/history";
import type { AdaptedProvider } from "./adapted";
import { startBtcpay } from "./btcpay";
import { startDlocal } from "./dlocal";
import { startPaystack } from "./paystack";
import { Session } from "./session";
import { startStripeCodes, startStripeConnect, startStripePages } from "./stripe";
import { startXenditCodes, startXenditPlatform, startXenditWallets } from "./xendit";

const SEED = 20_261_124;
const MINUTE = 60_000;
/** The window of a payment, and the time that a quote is valid. Payouts have none. */
const WINDOWS_MS: Readonly<Record<Kind, number>> = { payment: 30 * MINUTE, payout: 30 * MINUTE, topup: 15 * MINUTE };
const HISTORIES = sizeOf({ representative: 60, deep: 1_000 });

const CALLS = ["create answered", "create answer_lost", "create request_lost", "create not_accepted", "query silent"];
const COMMON = [...CALLS, "callback unmatched", "callback not_json", "callback unreadable"];
const PAYMENT = [...COMMON, "payment succeeded", "payment failed", "payment expired", "fact pay", "fact correct"];
const PAYOUT = [...COMMON, "payout succeeded", "payout failed", "fact settle", "fact settle_again", "fact return"];
const MONEY = ["fact send", "fact confirm", "fact drop", "fact give_up"];
const TOPUP = [...COMMON, "topup succeeded", "topup failed", "topup expired", ...MONEY];

interface Adapter {
  readonly title: string;
  start(): Promise<AdaptedProvider>;
  /** What a run over each kind of intent must play. */
  readonly kinds: readonly (readonly [kind: Kind, expected: string[]])[];
}

const ADAPTERS: readonly Adapter[] = [
  {
    title: "Paystack",
    start: startPaystack,
    kinds: [
      ["payment", PAYMENT],
      ["payout", PAYOUT],
    ],
  },
  { title: "Stripe by code", start: startStripeCodes, kinds: [["payment", PAYMENT]] },
  { title: "Stripe by page", start: startStripePages, kinds: [["payment", PAYMENT]] },
  {
    title: "Xendit",
    start: startXenditCodes,
    kinds: [
      ["payment", PAYMENT],
      ["payout", PAYOUT],
    ],
  },
  { title: "Stripe on connected accounts", start: startStripeConnect, kinds: [["payment", PAYMENT]] },
  { title: "Xendit by wallet", start: startXenditWallets, kinds: [["payment", PAYMENT]] },
  {
    title: "Xendit on sub-accounts",
    start: startXenditPlatform,
    kinds: [
      ["payment", PAYMENT],
      ["payout", PAYOUT],
    ],
  },
  { title: "BTCPay", start: startBtcpay, kinds: [["topup", TOPUP]] },
  { title: "dLocal", start: startDlocal, kinds: [["payment", PAYMENT]] },
];

describe.each(ADAPTERS)("$title", ({ start, kinds }) => {
  let provider: AdaptedProvider;
  let merchant: TestMerchant;
  let database: ServiceDatabase;

  beforeAll(async () => {
    provider = await start();
    merchant = await makeLiveMerchant(provider.wanted("payment").currency);
    const limits = { payment_methods: "all", payout_currencies: "all", deadline_ms: 20_000 };
    configureGateways(JSON.stringify([{ ...provider.entry(merchant.merchantId), ...limits }]));
    database = new ServiceDatabase(env().databaseUrl ?? "");
  });
  afterAll(async () => {
    await requireInvariants();
    await database.close();
    await provider.stop();
    configureGateways(null);
  });

  const play = (history: History) =>
    new Session(history, { provider, merchant, database }, WINDOWS_MS[history.kind]).play();

  it.each(kinds)(
    "no history of a %s breaks what the oracle expects",
    async (kind, expected) => {
      const played = new Set<string>();
      const property = fc.asyncProperty(historiesOf(kind), async (history) => {
        const verdict = await play(history);
        for (const name of verdict.played) played.add(name);
        expect(verdict.violations).toEqual([]);
      });
      await fc.assert(property, { seed: SEED, numRuns: HISTORIES, endOnFailure: process.env["SHRINK"] === "no" });
      expect([...played]).toEqual(expect.arrayContaining(expected));
    },
    HISTORIES * 10_000,
  );
});
