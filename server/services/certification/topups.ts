// The course of top-ups by one token: quote, creation, repetition, poll, payment, callback and the end of the quote.
import { setTimeout as sleep } from "node:timers/promises";
import { minorUnitDigits } from "@/server/domain/currencies";
import { toDestination } from "@/server/domain/fx";
import type { TopupOutcome } from "@/server/domain/outcome";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import type { Gateway, TopupOffer, TopupRequest } from "@/server/psp/gateway";
import type { Probe } from "./account";
import { certifyCallback } from "./callbacks";
import { afterCall, announced, ask, type Course, call, described, isSilent, poll, referenceIn, until } from "./course";
import { type Finding, failed, notPossible, passed } from "./step";

/** A token and the currency that it funds. */
export interface Pair {
  readonly source: string;
  readonly destination: string;
}

const WINDOW_MS = 15 * 60_000;
/** A small sum of each token: more than the least that a chain carries. Its minor units have at most this many digits. */
const DIGITS_OF_SUM = 5;

function subjectOf({ source, destination }: Pair): string {
  return `top-ups by ${source} into ${destination}`;
}

function newTopup({ source, destination }: Pair, { rate, networks }: TopupOffer, windowMs: number): TopupRequest {
  const createdAt = now();
  const sourceAmount = 2n * 10n ** BigInt(Math.min(DIGITS_OF_SUM, minorUnitDigits(source)) - 1);
  const conversion = { sourceCurrency: source, destinationCurrency: destination, rate };
  const worth = toDestination(sourceAmount, conversion);
  return {
    reference: newId("topupIntent"),
    merchantId: newId("merchant"),
    environment: "test",
    createdAt,
    destinationAmount: worth > 0n ? worth : 1n,
    destinationCurrency: destination,
    sourceAmount,
    sourceCurrency: source,
    network: networks[0] ?? "",
    expiresAt: new Date(createdAt.getTime() + windowMs),
    // No adapter with top-ups has sub-accounts.
    subAccount: null,
  };
}

const send = (gateway: Gateway, request: TopupRequest) =>
  call((signal) => gateway.createTopup(announced(request), signal));
const look = (gateway: Gateway, request: TopupRequest) =>
  poll((signal) => gateway.queryTopup(request, signal, request.createdAt));

/** Calls about a top-up that was never sent. */
export function topupProbe(pair: Pair): Probe {
  const request = newTopup(pair, { rate: "1.000000", feeBasisPoints: 0, networks: [] }, WINDOW_MS);
  return {
    create: async (gateway) => {
      const network = await networkOf(gateway, pair);
      return network === null
        ? { kind: "unknown", detail: "no network of the token is known" }
        : send(gateway, { ...request, network });
    },
    look: (gateway) => look(gateway, request),
  };
}

/** The default network of the token; null without a quote. */
async function networkOf(gateway: Gateway, pair: Pair): Promise<string | null> {
  const offer = await quote(gateway, pair);
  return offer?.networks[0] ?? null;
}

function quote(gateway: Gateway, { source, destination }: Pair): Promise<TopupOffer | null> {
  return ask((signal) => gateway.quoteTopup(source, destination, "test", signal)).catch(() => null);
}

/** Runs all steps of one pair. */
export async function certifyTopups(course: Course, pair: Pair): Promise<void> {
  const { step, gateway } = course;
  const subject = subjectOf(pair);
  let offer: TopupOffer | null = null;
  await step(subject, "quote", async () => {
    offer = await quote(gateway, pair);
    return offer
      ? passed(`1 ${pair.source} is ${offer.rate} ${pair.destination}`)
      : failed("the provider gave no rate");
  });
  if (!offer) return;
  const unpaid = await beginUnpaid(course, pair, offer);
  const request = newTopup(pair, offer, WINDOW_MS);
  let first: TopupOutcome = { kind: "unknown", detail: "not called" };
  const created = await step(subject, "create", async () => {
    first = await send(gateway, request);
    return first.kind === "instructions" ? passed(described(first)) : failed(described(first));
  });
  if (created.result === "passed") {
    const known = afterCall(course, request, referenceIn(first));
    await step(subject, "repeat the creation", () => repeat(course, known, first));
    await step(subject, "poll", () => find(course, known));
    await step(subject, "pay", () => pay(course, known, first, subject));
    await certifyCallback(course, subject, request.reference);
  }
  await endUnpaid(course, subject, unpaid);
}

/** A repeated creation shows the first address: a second one could be paid as well. */
async function repeat({ gateway }: Course, known: TopupRequest, first: TopupOutcome): Promise<Finding> {
  const again = await send(gateway, known);
  if (again.kind === "unknown") return passed(`no second result: ${again.detail}`);
  if (again.kind !== "instructions" || first.kind !== "instructions") return failed(described(again));
  const isSame = again.nextAction.address === first.nextAction.address && referenceIn(again) === referenceIn(first);
  return isSame
    ? passed("answered with the first address")
    : failed("the provider created a second object under the same reference");
}

async function find({ gateway }: Course, known: TopupRequest): Promise<Finding> {
  const outcomes = await look(gateway, known);
  const silent = outcomes.find(isSilent);
  if (silent) return failed(described(silent));
  return passed(outcomes.map(described).join(", ") || "found, nothing new");
}

function confirmedIn(outcomes: readonly TopupOutcome[]) {
  return outcomes.find((outcome) => outcome.kind === "funds_seen" && outcome.confirmed);
}

/** A person or the sandbox sends the sum; the poll then reports exactly that total as confirmed, each time. */
async function pay(course: Course, known: TopupRequest, first: TopupOutcome, subject: string): Promise<Finding> {
  const { gateway, tell, waitMs } = course;
  const { reference, sourceAmount: amount, sourceCurrency: currency } = known;
  const nextAction = first.kind === "instructions" ? first.nextAction : null;
  tell({ kind: "pay", method: subject, reference, sum: { amount, currency }, nextAction });
  const paid = await until(course, async () => confirmedIn(await look(gateway, known)) ?? null);
  if (!paid) return notPossible(`no payment was confirmed within ${Math.round(waitMs / 1_000)} s`);
  const again = confirmedIn(await look(gateway, known));
  for (const report of [paid, again]) {
    if (report?.kind !== "funds_seen") return failed("a second poll no longer reports the confirmed payment");
    if (report.amount !== amount || report.currency !== currency) {
      return failed(
        `asked for ${amount} ${currency} (minor units), the provider says ${report.amount} ${report.currency}`,
      );
    }
  }
  return passed(`${amount} ${currency} (minor units) arrived and are confirmed`);
}

/** The top-up that nobody pays, or why there is none. */
type Unpaid = TopupRequest | Finding;

async function beginUnpaid(course: Course, pair: Pair, offer: TopupOffer): Promise<Unpaid> {
  if (course.expiryMs === null) return notPossible("left out by --expiry");
  const request = newTopup(pair, offer, course.expiryMs);
  const created = await send(course.gateway, request);
  if (isSilent(created))
    return failed(`no top-up with a window of ${course.expiryMs / 1_000} s: ${described(created)}`);
  return afterCall(course, request, referenceIn(created));
}

/** After the end of an unpaid quote no money may be reported. */
async function endUnpaid(course: Course, subject: string, unpaid: Unpaid): Promise<void> {
  await course.step(subject, "expiry", async () => {
    if ("result" in unpaid) return unpaid;
    const { signal, gateway } = course;
    await sleep(Math.max(0, unpaid.expiresAt.getTime() - now().getTime()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return notPossible("the course was stopped before the end of the window");
    const outcomes = await look(gateway, unpaid);
    const wrong = outcomes.find((outcome) => isSilent(outcome) || outcome.kind === "funds_seen");
    if (wrong) return failed(`an unpaid top-up after its window: ${described(wrong)}`);
    return passed("no money is reported; the provider may leave it open");
  });
}
