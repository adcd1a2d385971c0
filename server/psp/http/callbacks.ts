// Verifies and parses callbacks of an external provider.
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { CallbackReading, CallbackReceiver } from "../gateway";
import type { HttpConfig } from "./config";
import { paymentOutcome, payoutOutcome, topupOutcome, unknown, withIntended } from "./reports";
import { isSigned } from "./signature";
import { callbackCore, callbackEnvelope, paymentCallback, payoutReport, topupCallback } from "./wire";

/** The path that a provider's callbacks use and sign, independent of any reverse proxy. */
function callbackPath(providerName: string): string {
  return `/providers/${providerName}/callbacks`;
}

type Reading = Pick<HttpConfig, "exponents" | "protocol">;

/** Returns the receiver of one configured provider's callbacks (docs/provider-protocol.md). */
export function createCallbackReceiver(config: HttpConfig): CallbackReceiver {
  const path = callbackPath(config.name);
  const secrets = [config.secret, ...(config.webhook_secrets ?? [])];
  return {
    verifyCallback: (headers, rawBody, now) => {
      const message = { method: "POST", path, body: rawBody };
      return secrets.some((secret) => isSigned(secret, message, headers, now))
        ? { callbackId: callbackIdOf(rawBody) }
        : null;
    },
    readCallback: (rawBody) => readCallback(parse(rawBody), config),
  };
}

function readCallback(body: unknown, config: Reading): CallbackReading {
  const named = { merchantId: memberOf(body, "merchant_id"), reference: memberOf(body, "reference") };
  const core = callbackCore.safeParse(body);
  if (!core.success) return { kind: "unreadable", why: faultOf(core.error), ...named };
  const { callback_id: callbackId, merchant_id: merchantId, reference } = core.data;
  if (reference.startsWith("sref_")) return { kind: "hint", merchantId, reference };
  const outcome = readOutcome(reference, body, config);
  if (outcome.kind === "unknown") return { kind: "unreadable", why: outcome.detail, ...named };
  return { kind: "update", callbackId, merchantId, reference, outcomes: [outcome] };
}

/** Returns a well-formed member of a body that may be malformed, or null. */
function memberOf(body: unknown, name: "merchant_id" | "reference"): string | null {
  const member = callbackCore.shape[name].safeParse((body as Readonly<Record<string, unknown>> | null)?.[name]);
  return member.success ? member.data : null;
}

/** Returns the first fault and its path. Zod's messages for these schemas contain no value of the body. */
function faultOf({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join(".") || "body";
  return `${place}: ${issue?.message ?? "is not a callback"}`;
}

/**
 * Returns the provider's id, which identifies repeats, or the digest of a signed body without one, stored for staff.
 */
function callbackIdOf(rawBody: string): string {
  const envelope = callbackEnvelope.safeParse(parse(rawBody));
  if (envelope.success) return envelope.data.callback_id;
  return `sha256:${createHash("sha256").update(rawBody).digest("hex")}`;
}

function readOutcome(
  reference: string,
  body: unknown,
  { exponents, protocol }: Reading,
): PaymentOutcome | PayoutOutcome | TopupOutcome {
  if (reference.startsWith("dord_")) {
    const report = paymentCallback[protocol].safeParse(body);
    if (!report.success) return unknown(faultOf(report.error));
    return withIntended(paymentOutcome(report.data, exponents), report.data, exponents);
  }
  if (reference.startsWith("word_")) {
    const report = payoutReport.safeParse(body);
    if (!report.success) return unknown(faultOf(report.error));
    return withIntended(payoutOutcome(report.data, exponents), report.data, exponents);
  }
  if (reference.startsWith("tuin_")) {
    const report = topupCallback.safeParse(body);
    if (!report.success) return unknown(faultOf(report.error));
    return withIntended(topupOutcome(report.data, exponents), report.data, exponents);
  }
  return unknown("reference: names no kind of intent");
}

function parse(rawBody: string): unknown {
  try {
    return JSON.parse(rawBody);
  } catch {
    return null;
  }
}
