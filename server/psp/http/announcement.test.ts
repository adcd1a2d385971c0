// Proves that a call announced too long ago is not sent, and that its signature carries the announcement's time.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Gateway } from "../gateway";
import { json, type LocalServer, startLocalServer } from "../testing/local-server";
import { samplePayment, samplePayout, sampleTopup } from "../testing/requests";
import { createHttpGateway } from "./gateway";
import { isSigned } from "./signature";

const SECRET = "an example secret of 32 characters or more";
const ANNOUNCED_AT = new Date("2026-11-21T09:30:00.000Z");
const open = new AbortController().signal;

let server: LocalServer;
let gateway: Gateway;
beforeAll(async () => {
  server = await startLocalServer();
  gateway = createHttpGateway({
    name: "acme",
    url: server.url,
    secret: SECRET,
    payment_methods: "all",
    payout_currencies: "all",
    topups: [],
    environments: ["live"],
    exponents: {},
    cancel: false,
    protocol: 1,
    plain_http: false,
  });
});
beforeEach(() => {
  server.received.length = 0;
  server.respond = ({ body, path }, response) => {
    const reference = body ? (JSON.parse(body) as { reference: string }).reference : path.split("/").at(-1);
    json(200, { reference, status: "pending" })({ method: "", path, headers: new Headers(), body }, response);
  };
  vi.useFakeTimers({ toFake: ["Date"], now: ANNOUNCED_AT });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => server.stop());

const payment = { ...samplePayment(1050n), announcedAt: ANNOUNCED_AT };
const payout = { ...samplePayout(1050n), announcedAt: ANNOUNCED_AT };
const topup = { ...sampleTopup(1050n), announcedAt: ANNOUNCED_AT };

const stopFor = (seconds: number) => vi.setSystemTime(ANNOUNCED_AT.getTime() + seconds * 1000);

it("does not send a creating call more than 60 seconds after its announcement", async () => {
  stopFor(60.001);
  const outcomes = await Promise.all([
    gateway.createPayment(payment, open),
    gateway.createPayout(payout, open),
    gateway.createTopup(topup, open),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["not_sent", "not_sent", "not_sent"]);
  expect(server.received).toEqual([]);
});

it("signs a creating call with its announcement's time, so that the provider rejects a late arrival", async () => {
  stopFor(59);
  expect(await gateway.createPayout(payout, open)).toMatchObject({ kind: "pending" });
  const [received] = server.received;
  if (!received) throw new Error("nothing was received");
  expect(received.headers.get("Sluice-Timestamp")).toBe(String(ANNOUNCED_AT.getTime() / 1000));
  const acceptedAfter = (seconds: number) =>
    isSigned(SECRET, received, received.headers, new Date(ANNOUNCED_AT.getTime() + seconds * 1000));
  expect([acceptedAfter(300), acceptedAfter(301)]).toEqual([true, false]);
});

it("sends and signs a query, which has no announcement, at any time", async () => {
  stopFor(3_600);
  expect(await gateway.queryPayout(payout, open, new Date())).toMatchObject([{ kind: "pending" }]);
  expect(server.received[0]?.headers.get("Sluice-Timestamp")).toBe(String(ANNOUNCED_AT.getTime() / 1000 + 3_600));
});
