import { expect, test } from "vitest";
import { isAttributable, isDatabaseOutage } from "./failures";

const OUTAGES = {
  "connection broken": "08006",
  "disk full": "53100",
  "lock not available": "55P03",
  "shut down": "57P01",
  "a write to the disk failed": "58030",
  "a demoted primary": "25006",
  "a deadlock": "40P01",
  "no listener": "ECONNREFUSED",
  "no file descriptor left": "EMFILE",
  "none left on the machine": "ENFILE",
  "no local port left": "EADDRNOTAVAIL",
  "no route": "EHOSTUNREACH",
  "no network": "ENETUNREACH",
  "no answer from the name server": "EAI_AGAIN",
  "a name that is gone": "ENOTFOUND",
};
const FAULTS_OF_A_STATEMENT = { "a constraint": "23505", "a value": "22003", "a trigger": "P0001", "a typo": "42601" };

const errorOf = (code: string) => Object.assign(new Error("refused"), { code });
const modelErrorOf = (code: string) => ({ meta: { driverAdapterError: { cause: { originalCode: code } } } });

test.each(Object.entries(OUTAGES))("%s (%s) is an outage", (_, code) => {
  expect(isDatabaseOutage(errorOf(code))).toBe(true);
  expect(isDatabaseOutage(modelErrorOf(code))).toBe(true);
});

test.each(Object.entries(FAULTS_OF_A_STATEMENT))("%s (%s) is none", (_, code) => {
  expect(isDatabaseOutage(errorOf(code))).toBe(false);
});

test("a failed write to the disk is no fault of a row: its outcome is unknown", () => {
  expect(isAttributable(errorOf("58030"))).toBe(false);
});
