// Planted bugs in the adapter for dLocal: the model over it catches them, or a test of the adapter.
import type { Patch } from "./patch";

const MODEL = { project: "db", tests: ["e2e/model/adapter-driver"] } as const;

export const DLOCAL_PATCHES: readonly Patch[] = [
  {
    name: "dlocal: any 404 is read as never accepted",
    file: "server/psp/dlocal/client.ts",
    within: "meaningOf",
    find: "status === answer.status && code === answer.code",
    replace: "status === answer.status && (status === 404 || code === answer.code)",
    caughtBy: { project: "unit", tests: ["server/psp/dlocal/gateway.test.ts"] },
  },
  {
    name: "dlocal: dLocal's time-out is read as a refusal",
    file: "server/psp/dlocal/tables.ts",
    within: "ERRORS",
    find: '{ status: 504, code: 5010, meaning: "open", source: "docs" }',
    replace: '{ status: 504, code: 5010, meaning: "refused", source: "docs" }',
    caughtBy: { project: "unit", tests: ["server/psp/dlocal/gateway.test.ts"] },
  },
  {
    name: "dlocal: a payment is sent in minor units",
    file: "server/psp/dlocal/payments.ts",
    within: "bodyOf",
    find: "toDecimalNumber(request.amount, currency, EXPONENTS)",
    replace: "toDecimalNumber(request.amount * 100n, currency, EXPONENTS)",
    caughtBy: MODEL,
  },
  {
    name: "dlocal: a signature is not compared",
    file: "server/psp/dlocal/callbacks.ts",
    within: "createDlocalReceiver",
    find: "equalTexts(authorizationOf({ login, secretKey }, date, rawBody), given)",
    replace: "authorizationOf({ login, secretKey }, date, rawBody).length === given.length",
    caughtBy: MODEL,
  },
  {
    name: "dlocal: a payment that nobody has paid yet is over",
    file: "server/psp/dlocal/payments.ts",
    within: "outcomesOf",
    find: "if (request.isAnswered || !redirect_url) return [];",
    replace: 'if (request.isAnswered || !redirect_url) return [{ kind: "expired", ...trace }];',
    caughtBy: MODEL,
  },
  {
    name: "dlocal: what a payer cancels in time has expired",
    file: "server/psp/dlocal/payments.ts",
    within: "outcomesOf",
    find: '{ kind: isOver ? "expired" : "cancelled", ...trace }',
    replace: '{ kind: isOver || status !== "" ? "expired" : "cancelled", ...trace }',
    caughtBy: MODEL,
  },
  {
    name: "dlocal: the refusal of a payer is believed of a repeated call",
    file: "server/psp/dlocal/payments.ts",
    within: "createPayment",
    find: 'meaningOf(answer) === "payer_refused" && !isRepeat',
    replace: 'meaningOf(answer) === "payer_refused" && (isRepeat || true)',
    caughtBy: { project: "unit", tests: ["server/psp/dlocal/gateway.test.ts"] },
  },
  {
    name: "dlocal: the signature is of another text than the one sent",
    file: "server/psp/dlocal/client.ts",
    within: "createDlocalClient",
    find: "authorizationOf({ login, secretKey }, date, body)",
    replace: "authorizationOf({ login, secretKey }, date, body.trim().toLowerCase())",
    caughtBy: { project: "unit", tests: ["server/psp/dlocal/gateway.test.ts"] },
  },
  {
    name: "dlocal: a card's authorization counts as paid",
    file: "server/psp/dlocal/tables.ts",
    within: "PAYMENT_STATUSES",
    find: 'AUTHORIZED: { meaning: "judge", code: 600, source: "docs" }',
    replace: 'AUTHORIZED: { meaning: "succeeded", code: 600, source: "docs" }',
    caughtBy: { project: "unit", tests: ["server/psp/dlocal/tables.test.ts"] },
  },
  {
    name: "dlocal: a refund is a hint like any other notification",
    file: "server/psp/dlocal/callbacks.ts",
    within: "readCallback",
    find: "payment_id !== undefined && payment_id !== null",
    replace: 'payment_id !== undefined && payment_id === ""',
    caughtBy: { project: "unit", tests: ["server/psp/dlocal/callbacks.test.ts"] },
  },
];
