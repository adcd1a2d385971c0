// A provider that refunds, with a memory of its own: it counts how often money left, whatever it answered.
import type { RefundOutcome } from "@/server/domain/outcome";
import type { Gateway, RefundRequest } from "@/server/psp/gateway";

/**
 * What it does with one creation. settles, declines, pends: does so and says so. loses: settles, and its answer is lost. drops: the
 * call is lost on the way. unsent: no connection is made. short: settles, and reports a sum that is one unit less.
 */
export type RefundBehaviour = "settles" | "declines" | "pends" | "loses" | "drops" | "unsent" | "short";

export interface RefundingProvider {
  /** Every creation that was attempted, in order. */
  readonly requests: RefundRequest[];
  /** How often the money left, by reference. */
  readonly executions: Map<string, number>;
  /** What it does with the next creations; settles after that. */
  next: RefundBehaviour[];
  /** What it reports of references that it knows. */
  readonly reports: Map<string, readonly RefundOutcome[]>;
  /** True if it does not recognize a repeated reference. */
  isForgetful: boolean;
  /** Runs during a creation call. */
  duringSend: () => Promise<void>;
}

const LOST: RefundOutcome = { kind: "unknown", detail: "no answer" };
const UNKNOWN_REFERENCE: RefundOutcome = { kind: "never_accepted", detail: "no such refund" };

/** Makes the only configured provider one that refunds. Install it with `installScriptedProvider` first. */
export function letProviderRefund(): RefundingProvider {
  const script: RefundingProvider = {
    requests: [],
    executions: new Map(),
    next: [],
    reports: new Map(),
    isForgetful: false,
    duringSend: async () => undefined,
  };
  const createRefund = async (request: RefundRequest): Promise<RefundOutcome> => {
    script.requests.push(request);
    await script.duringSend();
    const behaviour = script.next.shift() ?? "settles";
    if (behaviour === "drops") return LOST;
    if (behaviour === "unsent") return { kind: "not_sent", detail: "no connection" };
    const outcome = accept(script, request, behaviour);
    return behaviour === "loses" ? LOST : outcome;
  };
  const queryRefund = async ({ reference }: RefundRequest) => script.reports.get(reference) ?? [UNKNOWN_REFERENCE];
  const shared = globalThis as { sluiceProviders?: readonly { readonly gateway: Gateway }[] };
  shared.sluiceProviders = (shared.sluiceProviders ?? []).map((provider) => ({
    ...provider,
    gateway: { ...provider.gateway, createRefund, queryRefund },
  }));
  return script;
}

function accept(script: RefundingProvider, request: RefundRequest, behaviour: RefundBehaviour): RefundOutcome {
  const { reference, amount, currency } = request;
  const known = script.reports.get(reference)?.at(-1);
  if (known && !script.isForgetful) return known;
  const outcome = ((): RefundOutcome => {
    const trace = { providerReference: `refund-of-${reference}` };
    if (behaviour === "declines") return { kind: "declined", message: "No.", ...trace };
    if (behaviour === "pends") return { kind: "pending", ...trace };
    script.executions.set(reference, (script.executions.get(reference) ?? 0) + 1);
    return { kind: "settled", amount: behaviour === "short" ? amount - 1n : amount, currency, ...trace };
  })();
  script.reports.set(reference, [outcome]);
  return outcome;
}
