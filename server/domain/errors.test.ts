import { expect, it } from "vitest";
import {
  CodeRequired,
  ERROR_STATUS,
  Forbidden,
  FreshSignInRequired,
  insufficientBalanceError,
  merchantSuspendedError,
  NeedsOperator,
  notFoundError,
  PasskeyRequired,
  PasswordRequired,
  ServiceError,
  validationError,
} from "./errors";
import { EVENT_CATALOGUE, EVENT_TYPES } from "./events";
import { PAYMENT_TRANSITIONS } from "./payment-transitions";
import { PAYOUT_TRANSITIONS } from "./payout-transitions";

it("each code has its one HTTP status", () => {
  expect(Object.entries(ERROR_STATUS).map(([code, status]) => `${status} ${code}`)).toEqual([
    "400 validation_failed",
    "401 unauthorized",
    "403 forbidden",
    "403 merchant_suspended",
    "404 not_found",
    "405 method_not_allowed",
    "409 idempotency_conflict",
    "409 duplicate_merchant_reference",
    "413 payload_too_large",
    "422 approval_required",
    "422 insufficient_balance",
    "422 payout_limit_exceeded",
    "429 rate_limited",
    "500 internal_error",
    "503 service_unavailable",
  ]);
});

it("a complaint leads with the field's path, and nobody is told when to retry unless it helps", () => {
  expect(validationError("recipient.bank_code", "is required")).toMatchObject({
    code: "validation_failed",
    message: "recipient.bank_code is required",
    retryAfterSeconds: null,
  });
  expect(new ServiceError("service_unavailable", "x", 5).retryAfterSeconds).toBe(5);
});

it("what is absent, foreign and malformed reads the same", () => {
  expect(notFoundError()).toMatchObject({ code: "not_found", message: "The requested resource does not exist." });
});

it("a suspended merchant and a wallet that is too small are refused by codes of their own, in whole sentences", () => {
  expect(merchantSuspendedError()).toMatchObject({
    code: "merchant_suspended",
    message: "The operator of this service has suspended the merchant.",
  });
  expect(insufficientBalanceError()).toMatchObject({
    code: "insufficient_balance",
    message: "The available balance does not cover the amount.",
  });
});

it("each kind of error is logged under its own name", () => {
  const errors = {
    ServiceError: notFoundError(),
    Forbidden: new Forbidden("x"),
    CodeRequired: new CodeRequired("x"),
    PasskeyRequired: new PasskeyRequired("x", true),
    FreshSignInRequired: new FreshSignInRequired("x", true),
    PasswordRequired: new PasswordRequired("x"),
    NeedsOperator: new NeedsOperator("x", "y"),
  };
  for (const [name, error] of Object.entries(errors)) expect(String(error)).toMatch(new RegExp(`^${name}: `));
  expect(errors.Forbidden.code).toBe("forbidden");
});

it("the events are the six of the catalogue: one for each terminal status of payments and payouts", () => {
  const terminal = (name: string, table: Record<string, object>) =>
    Object.keys(table)
      .filter((status) => Object.keys(table[status] ?? {}).length === 0)
      .map((status) => `${name}.${status}`);
  expect([...EVENT_TYPES].sort()).toEqual(
    [...terminal("payment_intent", PAYMENT_TRANSITIONS), ...terminal("payout_intent", PAYOUT_TRANSITIONS)].sort(),
  );
  const failures = EVENT_TYPES.map((type) => [type, EVENT_CATALOGUE[type].failure?.code ?? null]);
  expect(failures).toEqual([
    ["payment_intent.succeeded", null],
    ["payment_intent.failed", "provider_declined"],
    ["payment_intent.expired", "expired"],
    ["payout_intent.succeeded", null],
    ["payout_intent.failed", "provider_declined"],
    ["payout_intent.cancelled", "cancelled"],
  ]);
});
