import { describe, expect, it } from "vitest";
import { decideOnPaymentOutcome } from "./payment-intent";
import { PAYMENT_STATUSES, PAYMENT_TRANSITIONS } from "./payment-transitions";
import { PAYOUT_STATUSES, PAYOUT_TRANSITIONS } from "./payout-transitions";
import { after, samplePayment } from "./testing/samples";
import { TOPUP_STATUSES, TOPUP_TRANSITIONS } from "./topup-transitions";

/** One line per trigger, one column per status; `-` where the trigger moves nothing. */
interface Expected {
  readonly statuses: readonly string[];
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly terminal: readonly string[];
  readonly verdicts: Readonly<Record<string, string>>;
}

const KINDS: Readonly<Record<string, Expected>> = {
  payment: {
    statuses: PAYMENT_STATUSES,
    table: PAYMENT_TRANSITIONS,
    terminal: ["succeeded", "failed", "expired"],
    verdicts: {
      //                         processing      requires_action  succeeded  failed  expired
      provider_requires_action: "requires_action -                -          -       -",
      provider_pending: "        processing      processing       -          -       -",
      provider_succeeded: "      succeeded       succeeded        -          -       -",
      provider_declined: "       failed          failed           -          -       -",
      payer_cancelled: "         failed          failed           -          -       -",
      provider_unavailable: "    failed          -                -          -       -",
      resolved_succeeded: "      succeeded       succeeded        -          -       -",
      resolved_failed: "         failed          failed           -          -       -",
      reroute: "                 processing      -                -          -       -",
      provider_expired: "        expired         expired          -          -       -",
      expire: "                  expired         expired          -          -       -",
    },
  },
  payout: {
    statuses: PAYOUT_STATUSES,
    table: PAYOUT_TRANSITIONS,
    terminal: ["succeeded", "failed", "cancelled"],
    verdicts: {
      //                     requires_approval processing succeeded failed cancelled
      approve_partly: "      requires_approval -          -         -      -",
      approve: "             processing        -          -         -      -",
      cancel: "              cancelled         -          -         -      -",
      lapse: "               cancelled         -          -         -      -",
      provider_settled: "    -                 succeeded  -         -      -",
      provider_declined: "   -                 failed     -         -      -",
      provider_unavailable: "-                 failed     -         -      -",
      resolved_settled: "    succeeded         succeeded  -         -      -",
      resolved_failed: "     failed            failed     -         -      -",
      reroute: "             -                 processing -         -      -",
      screening_refused: "   -                 cancelled  -         -      -",
    },
  },
  topup: {
    statuses: TOPUP_STATUSES,
    table: TOPUP_TRANSITIONS,
    terminal: ["succeeded", "failed", "expired"],
    verdicts: {
      //                      requires_payment processing succeeded failed expired
      provider_instructions: "requires_payment -          -         -      -",
      part_seen: "            requires_payment -          -         -      -",
      part_payment: "         requires_payment -          -         -      -",
      part_confirmed: "       -                processing -         -      -",
      part_dropped: "         -                processing -         -      -",
      funds_seen: "           processing       processing -         -      -",
      await_confirmation: "   processing       -          -         -      -",
      funds_confirmed: "      succeeded        succeeded  -         -      -",
      funds_dropped: "        requires_payment requires_payment - - -",
      underpaid: "            failed           failed     -         -      -",
      provider_declined: "    failed           failed     -         -      -",
      provider_unavailable: " failed           -          -         -      -",
      resolved_succeeded: "   succeeded        succeeded  -         -      -",
      resolved_failed: "      failed           failed     -         -      -",
      expire: "               expired          expired    -         -      -",
    },
  },
};

describe.each(Object.entries(KINDS))("%s intents", (_kind, { statuses, table, terminal, verdicts }) => {
  it("move by each trigger exactly where written down, and nowhere else", () => {
    for (const [trigger, line] of Object.entries(verdicts)) {
      const row = line.trim().split(/ +/);
      expect([trigger, row.length]).toEqual([trigger, statuses.length]);
      const actual = statuses.map((status) => table[status]?.[trigger] ?? "-");
      expect([trigger, ...actual]).toEqual([trigger, ...row]);
    }
  });

  it("have no status and no trigger beyond those written down", () => {
    expect(Object.keys(table)).toEqual([...statuses]);
    const triggers = Object.values(table).flatMap((row) => Object.keys(row));
    expect([...new Set(triggers)].sort()).toEqual(Object.keys(verdicts).sort());
  });

  it("leave no terminal status, and every other status leads to a terminal one", () => {
    expect(statuses.filter((status) => Object.keys(table[status] ?? {}).length === 0)).toEqual(terminal);
    for (const status of statuses) {
      if (terminal.includes(status)) continue;
      expect(Object.values(table[status] ?? {}).some((next) => terminal.includes(next))).toBe(true);
    }
  });
});

it("updated_at never runs backwards, even when the clock does", () => {
  const intent = samplePayment("processing", { updatedAt: after(5_000) });
  const decision = decideOnPaymentOutcome(intent, { kind: "cancelled", providerReference: null }, after(-60_000));
  expect(decision).toMatchObject({ kind: "planned", plan: { after: { updatedAt: after(5_000), revision: 1 } } });
});
