// A payment of a merchant that moves, and its provider's report of success.
import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { makeLiveMerchant, payment } from "@/server/testing/merchant";
import { applyDueCallbacks, receiveCallback } from "../../callbacks/receive-callback";
import { withoutIdempotency } from "../../idempotency/completion";
import { createPaymentIntent } from "../../payments/create";
import { sql } from "./three-cells";

const SECRET = "a secret of at least thirty-two characters";
/** It cannot be reached: its reports arrive as callbacks only. */
const ACME = { name: "acme", url: "http://127.0.0.1:9", secret: SECRET, payment_methods: "all" };

/** Sends the payments of a file's tests to the provider `acme`. */
export function configureAcme(): void {
  beforeEach(() => {
    configureGateways(JSON.stringify([ACME]));
    configureRoutes(JSON.stringify([{ kind: "payment", providers: [{ name: "acme" }] }]));
  });
  afterEach(() => {
    clock?.mockRestore();
    configureGateways(null);
    configureRoutes(null);
  });
}

let clock: MockInstance | null = null;

/** For ten seconds, a process believes that the ledger's accounts are still there which a restore has lost. They pass at once. */
export function passTenSeconds(): void {
  const own = performance.now.bind(performance);
  clock = vi.spyOn(performance, "now").mockImplementation(() => own() + 11_000);
}

/** Receives a signed callback of acme. */
function receiveFromAcme(body: string): Promise<void> {
  const message = { method: "POST", path: "/providers/acme/callbacks", body };
  return receiveCallback("acme", new Headers(signedHeaders(SECRET, message, new Date())), body);
}

export interface ReportedPayment {
  readonly merchantId: string;
  readonly callbackId: string;
  /** Receives the report of success; each time the same. */
  send(): Promise<void>;
  statusIn(cell: Cell): Promise<unknown>;
  /** Lets the workers of all cells apply callbacks until the payment has succeeded in that one. */
  succeedsIn(cell: Cell): Promise<void>;
}

/** Makes a live merchant with a payment in the first cell. */
export async function makeReportedPayment(): Promise<ReportedPayment> {
  const [main] = allCells();
  const { merchantId, context } = await inCell(main, makeLiveMerchant);
  const { intent } = await inCell(main, () => createPaymentIntent(context, payment(), withoutIdempotency()));
  const callbackId = newId("event");
  const body = JSON.stringify({
    callback_id: callbackId,
    merchant_id: merchantId,
    reference: intent.id,
    status: "succeeded",
    amount: "1050",
    currency: "BRL",
    provider_reference: `psp-${intent.id}`,
  });
  const statusIn = async (cell: Cell) =>
    (await sql(cell, "SELECT status FROM payment_intent WHERE id = $1", intent.id))[0]?.["status"];
  return {
    merchantId,
    callbackId,
    send: () => receiveFromAcme(body),
    statusIn,
    succeedsIn: (cell) =>
      vi.waitFor(
        async () => {
          await inEachCell(() => applyDueCallbacks(1_000, 30_000));
          expect(await statusIn(cell)).toBe("succeeded");
        },
        { timeout: 60_000, interval: 500 },
      ),
  };
}
