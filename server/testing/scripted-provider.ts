// Providers whose answers a test sets, and which record the calls that they receive.
import type { PaymentOutcome, PayoutOutcome } from "@/server/domain/outcome";
import { forgetBreakers } from "@/server/psp/breakers";
import type { Gateway } from "@/server/psp/gateway";
import { configureRoutes } from "@/server/psp/routes";

export interface ScriptedProvider {
  /** References in the order of their creation calls. */
  readonly sent: string[];
  /** References in the order of their polls. */
  readonly queries: string[];
  /** The answer from now on. */
  answer: PaymentOutcome | PayoutOutcome;
  /** The answer to polls, if different. */
  answerToQuestion: PaymentOutcome | PayoutOutcome | null;
  /** References in the order of their cancel calls. */
  readonly cancelled: string[];
  /** The answer to cancel calls; null if the provider cannot cancel. */
  answerToCancel: PaymentOutcome | null;
  /** Runs during a cancel call. */
  duringCancel: (reference: string) => Promise<void>;
  /** Runs during a creation call. */
  duringSend: (reference: string) => Promise<void>;
  /** Runs during a poll. */
  duringAsk: (reference: string) => Promise<void>;
}

function scripted(name: string): { script: ScriptedProvider; gateway: Gateway } {
  const script: ScriptedProvider = {
    sent: [],
    queries: [],
    answer: { kind: "pending", providerReference: "psp-1" },
    answerToQuestion: null,
    cancelled: [],
    answerToCancel: null,
    duringCancel: async () => undefined,
    duringSend: async () => undefined,
    duringAsk: async () => undefined,
  };
  const send = async <Outcome>({ reference }: { readonly reference: string }): Promise<Outcome> => {
    script.sent.push(reference);
    await script.duringSend(reference);
    return script.answer as Outcome;
  };
  const answerQuery = async <Outcome>({ reference }: { readonly reference: string }): Promise<Outcome[]> => {
    script.queries.push(reference);
    await script.duringAsk(reference);
    return [(script.answerToQuestion ?? script.answer) as Outcome];
  };
  const cancel = async ({ reference }: { readonly reference: string }): Promise<PaymentOutcome> => {
    script.cancelled.push(reference);
    await script.duringCancel(reference);
    return script.answerToCancel ?? { kind: "unknown", detail: "no cancelling here" };
  };
  const gateway: Gateway = {
    name,
    get cancelPayment() {
      return script.answerToCancel ? cancel : undefined;
    },
    offersPayment: (_method, environment) => environment === "live",
    offersPayout: (_currency, environment) => environment === "live",
    quoteTopup: async () => null,
    createPayment: send,
    queryPayment: answerQuery,
    createPayout: send,
    queryPayout: answerQuery,
    createTopup: async () => ({ kind: "unknown", detail: "no top-ups here" }),
    queryTopup: async () => [],
  };
  return { script, gateway };
}

/**
 * Makes them the only providers of the live environment for this process, with all breakers closed. Payments and
 * payouts go to the first, and fail over to the others in order where that is safe.
 */
export function installScriptedProviders<const Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, ScriptedProvider>> {
  const all = names.map((name) => ({ name, ...scripted(name) }));
  const shared = globalThis as { sluiceProviders?: readonly object[] };
  const rest = { receiver: null, environments: ["live"], topupEnvironments: [] };
  shared.sluiceProviders = all.map(({ gateway }) => ({ gateway, ...rest }));
  const providers = names.map((name, at) => ({ name, weight: at === 0 ? 1 : 0 }));
  const routes = (["payment", "payout"] as const).map((kind) => ({ kind, environment: "live", providers }));
  configureRoutes(JSON.stringify(routes));
  forgetBreakers();
  return Object.fromEntries(all.map(({ name, script }) => [name, script])) as Record<Name, ScriptedProvider>;
}

/** Makes one the only provider of the live environment for this process. */
export function installScriptedProvider(): ScriptedProvider {
  return installScriptedProviders("scripted").scripted;
}
