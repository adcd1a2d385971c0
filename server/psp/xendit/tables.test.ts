// The tables against the types of Xendit's SDK, whose enums exist at run time: every status has a meaning, every channel that
// we name exists, and the SDK reads what the fake answers.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  EWalletChannelCode,
  PaymentRequestFromJSON,
  PaymentRequestStatus,
  QRCodeChannelCode,
  VirtualAccountChannelCode,
} from "xendit-node/payment_request/models";
import {
  GetPayouts200ResponseDataInnerFromJSON,
  PayoutFailureCodeEnum,
  PayoutStatusEnum,
} from "xendit-node/payout/models";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { CANCELLED } from "@/e2e/support/fake-xendit/objects";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import { samplePayment, samplePayout } from "../testing/requests";
import { createXenditGateway } from "./gateway";
import { FAILURE_CODES, PAYMENT_ROWS, PAYMENT_STATUSES, PAYOUT_STATUSES, SDK } from "./tables";
import { BUSINESS, configAt, KEY } from "./testing/entry";

/** The SDK's name for a value that it does not know. */
const FALLBACK = "UNKNOWN_ENUM_VALUE";
const valuesOf = (texts: Readonly<Record<string, string>>) => Object.values(texts).filter((one) => one !== FALLBACK);
type Rows = Readonly<Record<string, { readonly source: string }>>;
const namesOf = (rows: Rows, source?: string) =>
  Object.entries(rows)
    .filter(([, row]) => source === undefined || row.source === source)
    .map(([name]) => name)
    .toSorted();

/** From Xendit's page about the lifecycle of payouts, cash payouts included. */
const LIFECYCLE =
  "ACCEPTED PENDING_COMPLIANCE_ASSESSMENT COMPLIANCE_REJECTED REQUESTED READY LOCKED EXPIRED FAILED SUCCEEDED CANCELLED REVERSED";
/** From Xendit's page about creating a payout. */
const FAILURES =
  "INSUFFICIENT_BALANCE INVALID_DESTINATION REJECTED_BY_CHANNEL TEMPORARY_TRANSFER_ERROR TRANSFER_ERROR UNKNOWN_BANK_NETWORK_ERROR DESTINATION_MAXIMUM_LIMIT";

describe("the SDK", () => {
  it("is the version that the tables were compared with", () => {
    const path = createRequire(import.meta.url).resolve("xendit-node/package.json");
    const { version } = JSON.parse(readFileSync(path, "utf8")) as { readonly version: string };
    expect(version).toBe(SDK.version);
  });

  it("names no status of a payment request without a meaning, and no other than the table", () => {
    expect(namesOf(PAYMENT_STATUSES)).toEqual(valuesOf(PaymentRequestStatus).toSorted());
  });

  it("names the statuses of payouts that the table has from it; the documentation names all", () => {
    expect(namesOf(PAYOUT_STATUSES, "sdk")).toEqual(valuesOf(PayoutStatusEnum).toSorted());
    expect(namesOf(PAYOUT_STATUSES)).toEqual(LIFECYCLE.split(" ").toSorted());
  });

  it("names the failure codes of payouts that the table has from it; the documentation names all", () => {
    expect(namesOf(FAILURE_CODES, "sdk")).toEqual(valuesOf(PayoutFailureCodeEnum).toSorted());
    expect(namesOf(FAILURE_CODES)).toEqual(FAILURES.split(" ").toSorted());
  });

  it.each(Object.entries(PAYMENT_ROWS))("has the channel of %s", (_code, { channel, collection }) => {
    const channels = {
      QR_CODE: QRCodeChannelCode,
      VIRTUAL_ACCOUNT: VirtualAccountChannelCode,
      EWALLET: EWalletChannelCode,
    }[collection.type];
    expect(valuesOf(channels)).toContain(channel);
  });
});

describe("a status", () => {
  const signal = new AbortController().signal;
  let fake: FakeXendit;
  let account: XenditAccount;

  beforeAll(async () => {
    fake = await FakeXendit.start();
  });
  afterAll(() => fake.stop());
  beforeEach(() => {
    account = fake.open(KEY, { business_id: BUSINESS });
  });

  const gatewayOf = () => createXenditGateway(configAt(fake.url));
  const named = (outcomes: readonly { readonly kind: string }[]) =>
    outcomes.map((one) => ("needsOperator" in one ? "operator" : one.kind));

  /** What a poll reports about a payment whose object has these members. */
  async function reported(method: string, changes: object, isAnswered = true): Promise<string[]> {
    const gateway = gatewayOf();
    const request = samplePayment(1_050_000n, method);
    await gateway.createPayment(request, signal);
    Object.assign(account.requests[0] ?? {}, changes);
    return named(await gateway.queryPayment({ ...request, isAnswered }, signal, new Date()));
  }

  it.each([
    ["REQUIRES_ACTION", [], ["requires_action"]],
    ["PENDING", [], ["requires_action"]],
    ["SUCCEEDED", ["succeeded"], ["succeeded"]],
    ["FAILED", ["declined"], ["declined"]],
    [CANCELLED, ["cancelled"], ["cancelled"]],
    ["EXPIRED", ["expired"], ["expired"]],
    ["VOIDED", ["operator"], ["operator"]],
    ["AWAITING_CAPTURE", ["operator"], ["operator"]],
    ["UNKNOWN", ["operator"], ["operator"]],
    ["ACCEPTING_PAYMENTS", ["operator"], ["operator"]],
    ["__proto__", ["operator"], ["operator"]],
  ])("of a code that is %s: %j, and %j before it was shown", async (status, expected, before) => {
    expect(await reported("ID_QRIS", { status })).toEqual(expected);
    account = fake.open(KEY, { business_id: BUSINESS });
    expect(await reported("ID_QRIS", { status }, false)).toEqual(before);
  });

  it("of a code is no news while Xendit has no instructions, and a demand that Sluice cannot show needs a person", async () => {
    const empty = { payment_method: { type: "QR_CODE", qr_code: null, virtual_account: null } };
    expect(await reported("ID_QRIS", { status: "PENDING", ...empty }, false)).toEqual([]);
    account = fake.open(KEY, { business_id: BUSINESS });
    expect(await reported("ID_QRIS", { status: "REQUIRES_ACTION", ...empty }, false)).toEqual(["operator"]);
  });

  it("of a wallet is pending once the payer has acted", async () => {
    expect(await reported("ID_DANA", { status: "PENDING", actions: [] })).toEqual(["pending"]);
    account = fake.open(KEY, { business_id: BUSINESS });
    expect(await reported("ID_DANA", { status: "PENDING", actions: null }, false)).toEqual(["pending"]);
  });

  it.each([
    ["ACCEPTED", ["pending"]],
    ["REQUESTED", ["pending"]],
    ["PENDING_COMPLIANCE_ASSESSMENT", ["pending", "operator"]],
    ["SUCCEEDED", ["settled"]],
    ["FAILED", ["declined"]],
    ["CANCELLED", ["declined"]],
    ["COMPLIANCE_REJECTED", ["declined"]],
    ["REVERSED", ["returned"]],
    ["LOCKED", ["operator"]],
    ["READY", ["operator"]],
    ["EXPIRED", ["operator"]],
    ["brand_new", ["operator"]],
    ["constructor", ["operator"]],
  ])("of a payout that is %s: %j", async (status, expected) => {
    expect(await payoutThat({ status })).toEqual(expected);
  });

  it.each([
    ...Object.keys(FAILURE_CODES).map((code) => [
      code,
      code === "INVALID_DESTINATION" ? "invalid_recipient" : "declined",
    ]),
    ["BRAND_NEW", "declined"],
    ["toString", "declined"],
  ])("of a payout that failed for %s: %s", async (failure_code, expected) => {
    expect(await payoutThat({ status: "FAILED", failure_code })).toEqual([expected]);
  });

  async function payoutThat(changes: object): Promise<string[]> {
    const gateway = gatewayOf();
    const recipient = { accountNumber: "1", bankCode: "ID_BCA", holderName: "A B" };
    const request = samplePayout(9_000_000n, { currency: "IDR", recipient });
    await gateway.createPayout(request, signal);
    Object.assign(account.payouts[0] ?? {}, changes);
    return named(await gateway.queryPayout(request, signal, new Date()));
  }

  it("objects of the fake are what the SDK reads", async () => {
    await gatewayOf().createPayment(samplePayment(1_050_000n, "ID_BCA_VA"), signal);
    const [request] = account.requests;
    const read = PaymentRequestFromJSON(request);
    expect(read).toMatchObject({
      referenceId: request?.reference_id,
      businessId: BUSINESS,
      amount: 10_500,
      currency: "IDR",
    });
    expect(read.paymentMethod.virtualAccount?.channelProperties.virtualAccountNumber).toMatch(/^38165/);
    await payoutThat({});
    expect(GetPayouts200ResponseDataInnerFromJSON(account.payouts[0])).toMatchObject({
      channelCode: "ID_BCA",
      businessId: BUSINESS,
      status: "ACCEPTED",
    });
  });
});
