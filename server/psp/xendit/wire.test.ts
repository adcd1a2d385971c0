// The adapter's calls beside those of Xendit's official SDK against the same fake: equal methods, addresses, headers and
// bodies.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Xendit } from "xendit-node";
import type { XenditAccount } from "@/e2e/support/fake-xendit/book";
import { FakeXendit } from "@/e2e/support/fake-xendit/server";
import type { Call } from "@/e2e/support/hostile-provider/server";
import type { Gateway } from "../gateway";
import { after, samplePayment, samplePayout } from "../testing/requests";
import { createXenditBalances } from "./balances";
import type { XenditConfig } from "./config";
import { createXenditGateway } from "./gateway";
import { BUSINESS, configAt, KEY } from "./testing/entry";

const REFERENCE = "dord_01h455vb4pex5vsknk084sn02q";
const PAYOUT = "word_01h455vb4pex5vsknk084sn02q";
const HOSTED = `https://pay.example.com/pay/${REFERENCE}`;
const signal = new AbortController().signal;
const at = new Date();

let fake: FakeXendit;
let account: XenditAccount;
let config: XenditConfig;
let gateway: Gateway;
let sdk: Xendit;

beforeAll(async () => {
  fake = await FakeXendit.start();
  sdk = new Xendit({ secretKey: KEY, xenditURL: fake.url });
  account = fake.open(KEY, { business_id: BUSINESS });
  config = configAt(fake.url);
  gateway = createXenditGateway(config);
});
afterAll(() => fake.stop());

function wireOf({ method, path, headers, body }: Call): object {
  const { pathname, searchParams } = new URL(path, "http://xendit");
  return {
    method,
    pathname,
    query: Object.fromEntries([...searchParams].toSorted()),
    body,
    contentType: method === "POST" ? headers["content-type"] : null,
    authorization: headers.authorization,
    key: headers["idempotency-key"],
    account: headers["for-user-id"],
  };
}

/** The wires of the calls that `work` makes, without those that prove the account. */
async function wires(work: () => Promise<unknown>): Promise<object[]> {
  fake.calls.length = 0;
  await work();
  return fake.calls.filter(({ path }) => !path.endsWith("?limit=1")).map(wireOf);
}

const metadata = { sluice_reference: REFERENCE, sluice_merchant: "mer_01h455vb4pex5vsknk084sn02q" };

it("a payment by code", async () => {
  const ours = await wires(() => gateway.createPayment(samplePayment(1_050_000n, "ID_QRIS"), signal));
  const data = {
    referenceId: REFERENCE,
    amount: 10_500,
    currency: "IDR",
    paymentMethod: {
      type: "QR_CODE",
      reusability: "ONE_TIME_USE",
      qrCode: { channelCode: "QRIS", channelProperties: { expiresAt: after(30 * 60_000) } },
    },
    metadata,
  } as const;
  const theirs = await wires(() => sdk.PaymentRequest.createPaymentRequest({ idempotencyKey: REFERENCE, data }));
  expect(ours).toEqual(theirs);
  expect(account.requests).toHaveLength(1);
});

it("a payment by virtual account", async () => {
  account.forgetKeys();
  const ours = await wires(() => gateway.createPayment(samplePayment(1_050_000n, "ID_BCA_VA"), signal));
  const data = {
    referenceId: REFERENCE,
    amount: 10_500,
    currency: "IDR",
    paymentMethod: {
      type: "VIRTUAL_ACCOUNT",
      reusability: "ONE_TIME_USE",
      virtualAccount: {
        channelCode: "BCA",
        channelProperties: { customerName: "Ana Souza", expiresAt: after(72 * 3_600_000) },
      },
    },
    metadata,
  } as const;
  expect(ours).toEqual(await wires(() => sdk.PaymentRequest.createPaymentRequest({ idempotencyKey: REFERENCE, data })));
});

it("a payment by wallet", async () => {
  account.forgetKeys();
  const ours = await wires(() => gateway.createPayment(samplePayment(10_055n, "PH_GCASH"), signal));
  const data = {
    referenceId: REFERENCE,
    amount: 100.55,
    currency: "PHP",
    paymentMethod: {
      type: "EWALLET",
      reusability: "ONE_TIME_USE",
      ewallet: { channelCode: "GCASH", channelProperties: { successReturnUrl: HOSTED, failureReturnUrl: HOSTED } },
    },
    metadata,
  } as const;
  expect(ours).toEqual(await wires(() => sdk.PaymentRequest.createPaymentRequest({ idempotencyKey: REFERENCE, data })));
});

it("reading payment requests, by reference and by id", async () => {
  const request = samplePayment(1_050_000n, "ID_QRIS");
  const { id } = account.payment(REFERENCE);
  const known = { ...request, earlier: { providerReference: id, account: BUSINESS } };
  const ours = await wires(async () => {
    await gateway.queryPayment(request, signal, at);
    await gateway.queryPayment(known, signal, at);
  });
  const theirs = await wires(async () => {
    await sdk.PaymentRequest.getAllPaymentRequests({ referenceId: [REFERENCE], limit: 10 });
    await sdk.PaymentRequest.getPaymentRequestByID({ paymentRequestId: id });
  });
  expect(ours).toEqual(theirs);
});

it("a payout, and reading it by reference and by id", async () => {
  const recipient = { accountNumber: "000000000099", bankCode: "PH_BDO", holderName: "Maria Santos" };
  const request = samplePayout(9_000_055n, { currency: "PHP", country: "PH", recipient });
  const created = await wires(() => gateway.createPayout(request, signal));
  const data = {
    referenceId: PAYOUT,
    channelCode: "PH_BDO",
    channelProperties: { accountNumber: "000000000099", accountHolderName: "Maria Santos" },
    amount: 90_000.55,
    currency: "PHP",
  };
  expect(created).toEqual(await wires(() => sdk.Payout.createPayout({ idempotencyKey: PAYOUT, data })));
  expect(account.executions).toEqual([PAYOUT]);
  const { id } = account.payout(PAYOUT);
  const ours = await wires(async () => {
    await gateway.queryPayout(request, signal, at);
    await gateway.queryPayout({ ...request, earlier: { providerReference: id, account: BUSINESS } }, signal, at);
  });
  const theirs = await wires(async () => {
    await sdk.Payout.getPayouts({ referenceId: PAYOUT, limit: 10 });
    await sdk.Payout.getPayoutById({ id });
  });
  expect(ours).toEqual(theirs);
});

it("balances", async () => {
  const ours = await wires(() => createXenditBalances(config)(signal, null));
  const theirs = await wires(async () => {
    for (const currency of ["IDR", "PHP", "VND", "THB", "MYR"]) {
      await sdk.Balance.getBalance({ accountType: "CASH", currency }).catch(() => undefined);
    }
  });
  const byCurrency = (all: object[]) =>
    all.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
  expect(byCurrency(ours)).toEqual(byCurrency(theirs));
});

it("calls for a sub-account", async () => {
  const forUserId = "5f27a14a9bf05c73dd040b01";
  const sub = fake.openSubAccount(KEY, forUserId, { business_id: forUserId });
  const recipient = { accountNumber: "000000000099", bankCode: "PH_BDO", holderName: "Maria Santos" };
  const request = samplePayout(9_000_055n, { currency: "PHP", country: "PH", recipient, subAccount: forUserId });
  const paid = { ...samplePayment(1_050_000n, "ID_QRIS"), subAccount: forUserId };
  const ours = await wires(async () => {
    await gateway.createPayout(request, signal);
    await gateway.queryPayout(request, signal, at);
    await gateway.queryPayment(paid, signal, at);
  });
  const data = {
    referenceId: PAYOUT,
    channelCode: "PH_BDO",
    channelProperties: { accountNumber: "000000000099", accountHolderName: "Maria Santos" },
    amount: 90_000.55,
    currency: "PHP",
  };
  const theirs = await wires(async () => {
    await sdk.Payout.createPayout({ idempotencyKey: PAYOUT, forUserId, data });
    await sdk.Payout.getPayouts({ referenceId: PAYOUT, forUserId, limit: 10 });
    await sdk.PaymentRequest.getAllPaymentRequests({ referenceId: [REFERENCE], forUserId, limit: 10 });
  });
  expect(ours).toEqual(theirs);
  expect(sub.executions).toEqual([PAYOUT]);
});
