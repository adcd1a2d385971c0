// Owns callbacks of an external provider: whether it sent them, and what they say.
import { createHash } from "node:crypto";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { CallbackReceiver } from "../gateway";
import type { ProviderConfig } from "./config";
import type { Exponents } from "./exponents";
import { paymentOutcome, payoutOutcome, topupOutcome } from "./reports";
import { isSigned } from "./signature";
import { callbackCore, callbackEnvelope, paymentCallback, payoutCallback, topupCallback } from "./wire";

/** The path under which a provider's callbacks arrive, and which they sign, whatever stands in front of the service. */
function callbackPath(providerName: string): string {
  return `/providers/${providerName}/callbacks`;
}

/** Receives the callbacks of one configured provider (docs/provider-protocol.md). */
export function createCallbackReceiver(config: ProviderConfig): CallbackReceiver {
  const path = callbackPath(config.name);
  return {
    verifyCallback: (headers, rawBody, now) =>
      isSigned(config.secret, { method: "POST", path, body: rawBody }, headers, now)
        ? { callbackId: callbackIdOf(rawBody) }
        : null,
    readCallback: (rawBody) => {
      const body = parse(rawBody);
      const core = callbackCore.safeParse(body);
      if (!core.success) return null;
      const { callback_id, merchant_id, reference } = core.data;
      const outcome = readOutcome(reference, body, config.exponents);
      if (outcome === null || outcome.kind === "unknown") return null;
      return { callbackId: callback_id, merchantId: merchant_id, reference, outcomes: [outcome] };
    },
  };
}

/** The provider's id, by which repeats are known; a signed body without one is known by its digest and kept for staff. */
function callbackIdOf(rawBody: string): string {
  const envelope = callbackEnvelope.safeParse(parse(rawBody));
  if (envelope.success) return envelope.data.callback_id;
  return `sha256:${createHash("sha256").update(rawBody).digest("hex")}`;
}

function readOutcome(
  reference: string,
  body: unknown,
  exponents: Exponents,
): PaymentOutcome | PayoutOutcome | TopupOutcome | null {
  if (reference.startsWith("dord_")) {
    const report = paymentCallback.safeParse(body);
    return report.success ? paymentOutcome(report.data, exponents) : null;
  }
  if (reference.startsWith("word_")) {
    const report = payoutCallback.safeParse(body);
    return report.success ? payoutOutcome(report.data, exponents) : null;
  }
  if (reference.startsWith("tuin_")) {
    const report = topupCallback.safeParse(body);
    return report.success ? topupOutcome(report.data, exponents) : null;
  }
  return null;
}

function parse(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody);
  } catch {
    return null;
  }
}
