// Terms of top-ups as an operator types them: read exactly, or rejected with what they must be.
import { describe, expect, it } from "vitest";
import { readTerms, type TypedTopupTerms } from "./topup-terms";

const NONE: TypedTopupTerms = {
  overpayment: null,
  underpayment: null,
  latePayment: null,
  feeMode: null,
  spreadBasisPoints: null,
};

describe("typed terms", () => {
  it("change only what was typed", () => {
    expect(readTerms(NONE)).toEqual({ terms: {} });
    expect(readTerms({ ...NONE, latePayment: "hold" })).toEqual({ terms: { latePayment: "hold" } });
  });

  it("may change everything at once", () => {
    const typed = { overpayment: "refund", underpayment: "hold", latePayment: "credit_actual", feeMode: "added" };
    expect(readTerms({ ...typed, spreadBasisPoints: "25" })).toEqual({ terms: { ...typed, spreadBasisPoints: 25 } });
  });

  it.each(["0", "1", "10", "9999", "10000"])("have a spread of %s basis points", (text) => {
    expect(readTerms({ ...NONE, spreadBasisPoints: text })).toEqual({ terms: { spreadBasisPoints: Number(text) } });
  });

  it.each(["", "-1", "1.5", "01", "00", "1e3", " 1", "1 ", "x1", "1x", "10001", "99999", "100000"])(
    "have no spread of %j",
    (text) => {
      const fault = { fault: "spreadBasisPoints", choices: "0 to 10000" };
      expect(readTerms({ ...NONE, spreadBasisPoints: text })).toEqual(fault);
    },
  );

  it.each(["overpayment", "underpayment", "latePayment"] as const)("name the choices for %s", (term) => {
    const fault = { fault: term, choices: "credit_actual, hold, refund" };
    for (const text of ["", "HOLD", "absorbed"]) expect(readTerms({ ...NONE, [term]: text })).toEqual(fault);
  });

  it("name the choices for the fee mode", () => {
    const fault = { fault: "feeMode", choices: "absorbed, added, deducted" };
    expect(readTerms({ ...NONE, feeMode: "hold" })).toEqual(fault);
  });

  it("are rejected as a whole, by the first that is none", () => {
    const typed = { ...NONE, overpayment: "hold", underpayment: "x", feeMode: "x" };
    expect(readTerms(typed)).toMatchObject({ fault: "underpayment" });
  });
});
