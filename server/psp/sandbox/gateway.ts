// The sandbox: the test environment's provider. It keeps no state; its answers follow from the request and the time.
import { setTimeout as pause } from "node:timers/promises";
import { isKnownCurrency } from "@/server/domain/currencies";
import type { Unknown } from "@/server/domain/outcome";
import type { Gateway } from "../gateway";
import { magicOf } from "./magic";
import { sandboxOffer } from "./rates";
import {
  expired,
  isPast,
  paymentReports,
  paymentTruth,
  payoutTruth,
  refundReports,
  topupReports,
  topupTruth,
} from "./truth";

export const SANDBOX = "sandbox";

/** The sandbox's delay for amounts that end in 03. */
const SLOW_MS = 5_000;

const STILL_WORKING: Unknown = { kind: "unknown", detail: "the sandbox takes 5 s over amounts that end in 03" };
const ABORTED: Unknown = { kind: "unknown", detail: "the sandbox was not waited for" };

/** Resolves after `ms` milliseconds; rejects if the signal aborts first. */
type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

function untilAborted(signal: AbortSignal): Promise<Unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(ABORTED);
    signal.addEventListener("abort", () => resolve(ABORTED), { once: true });
  });
}

/** Returns a sandbox that delays answers with `wait`. */
export function createSandboxGateway(wait: Wait): Gateway {
  /** The answer to a creation: at once, after five seconds (03), or never (04) until the caller gives up. */
  const answer = async <Outcome>(amount: bigint, truth: Outcome, signal: AbortSignal): Promise<Outcome | Unknown> => {
    const magic = magicOf(amount);
    if (magic === "silent") return untilAborted(signal);
    if (magic !== "slow") return truth;
    return wait(SLOW_MS, signal).then(
      () => truth,
      () => ABORTED,
    );
  };
  const reports = <Outcome>(createdAt: Date, amount: bigint, at: Date, all: () => Outcome[]): (Outcome | Unknown)[] =>
    magicOf(amount) === "slow" && !isPast(createdAt, SLOW_MS, at) ? [STILL_WORKING] : all();
  return {
    name: SANDBOX,
    isOurs: true,
    offersPayment: (_method, environment) => environment === "test",
    offersPayout: (currency, environment) => environment === "test" && isKnownCurrency(currency),
    quoteTopup: async (source, destination, environment) =>
      environment === "test" ? sandboxOffer(source, destination) : null,
    createPayment: (request, signal) => answer(request.amount, paymentTruth(request), signal),
    queryPayment: async (request, _signal, at) =>
      reports(request.createdAt, request.amount, at, () => paymentReports(request, at)),
    createPayout: (request, signal) => answer(request.amount, payoutTruth(request, "sent"), signal),
    queryPayout: async (request, _signal, at) =>
      reports(request.createdAt, request.amount, at, () => [payoutTruth(request, at)]),
    createTopup: (request, signal) => answer(request.destinationAmount, topupTruth(request), signal),
    queryTopup: async (request, _signal, at) =>
      reports(request.createdAt, request.destinationAmount, at, () => topupReports(request, at)),
    cancelPayment: async ({ reference }) => expired(reference),
    cancelTopup: async ({ reference }) => expired(reference),
    createRefund: async (request) => refundReports(request)[0],
    queryRefund: async (request) => refundReports(request),
  };
}

export const sandboxGateway: Gateway = createSandboxGateway((ms, signal) => pause(ms, undefined, { signal }));
