// The adapter for any provider behind an external process that implements our documented protocol.
import type { Environment } from "@/server/domain/scope";
import { covers } from "../config/common";
import { createExchange, type Exchange } from "../exchange";
import type { Creation, Gateway, PaymentRequest, RefundRequest, TopupOffer, TopupRequest } from "../gateway";
import type { HttpConfig } from "./config";
import { cancel, create, protocolError, query } from "./conversation";
import type { Exponents } from "./exponents";
import { paymentBody, payoutBody, refundBody, topupBody } from "./requests";
import { signWith } from "./signature";
import { paymentSubject, payoutSubject, refundSubject, topupSubject } from "./subjects";
import { quote } from "./wire";

/** Returns the adapter of one configured provider (docs/provider-protocol.md). */
export function createHttpGateway(config: HttpConfig): Gateway {
  const { name, url, secret, exponents, protocol, plain_http, payment_methods, payout_currencies, topups } = config;
  const exchange = createExchange(url, signWith(secret));
  const reading = { exponents, protocol, allowHttp: plain_http || url.startsWith("http:") };
  const sending = <Request>(
    request: Creation<Request>,
    body: (request: Request, exponents: Exponents) => object | null,
  ) => ({ body: body(request, exponents), announcedAt: request.announcedAt });
  const serves = (environment: Environment) => config.environments.includes(environment);
  return {
    name,
    offersPayment: (method, environment) => serves(environment) && covers(payment_methods, method.code),
    offersPayout: (currency, environment) => serves(environment) && covers(payout_currencies, currency),
    quoteTopup: async (source, destination, environment, signal) => {
      const offered = topups.some((pair) => pair.source === source && pair.destination === destination);
      return serves(environment) && offered ? fetchQuote(exchange, source, destination, signal) : null;
    },
    createPayment: (request, signal) =>
      create(exchange, paymentSubject(request, reading), sending(request, paymentBody), signal),
    queryPayment: (request, signal) => query(exchange, paymentSubject(request, reading), signal),
    createPayout: (request, signal) =>
      create(exchange, payoutSubject(request, reading), sending(request, payoutBody), signal),
    queryPayout: (request, signal) => query(exchange, payoutSubject(request, reading), signal),
    createTopup: (request, signal) =>
      create(exchange, topupSubject(request, reading), sending(request, topupBody), signal),
    queryTopup: (request, signal) => query(exchange, topupSubject(request, reading), signal),
    ...(config.cancel && {
      cancelPayment: (request: PaymentRequest, signal: AbortSignal) =>
        cancel(exchange, paymentSubject(request, reading), signal),
      cancelTopup: (request: TopupRequest, signal: AbortSignal) =>
        cancel(exchange, topupSubject(request, reading), signal),
    }),
    ...(config.refund && {
      createRefund: (request: Creation<RefundRequest>, signal: AbortSignal) =>
        create(exchange, refundSubject(request, reading), sending(request, refundBody), signal),
      queryRefund: (request: RefundRequest, signal: AbortSignal) =>
        query(exchange, refundSubject(request, reading), signal),
    }),
  };
}

/** Returns the provider's terms, or null if it does not convert the pair. Throws if its answer is invalid. */
async function fetchQuote(
  exchange: Exchange,
  source: string,
  destination: string,
  signal: AbortSignal,
): Promise<TopupOffer | null> {
  const terms = new URLSearchParams({ source, destination });
  const answer = await exchange({ method: "GET", path: `/v1/topups/quote?${terms}` }, signal);
  if ("unclear" in answer) throw new Error(`the provider gave no quote: ${answer.unclear}`);
  if (answer.status === 404 && protocolError(answer)?.code === "not_offered") return null;
  const parsed = quote.safeParse(answer.body);
  if (answer.status !== 200 || !parsed.success)
    throw new Error("the provider gave no quote: its answer is not a valid quote");
  const { rate, fee_basis_points, networks } = parsed.data;
  return { rate, feeBasisPoints: fee_basis_points, networks };
}
