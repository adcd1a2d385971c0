import { describe, expect, it } from "vitest";
import { isCountry } from "./countries";
import { isIsoCurrency } from "./currencies";
import { parseAmount } from "./money";
import { findPaymentMethod, PAYMENT_METHODS } from "./payment-methods";

/** Country, currency, methods: Q for a QR code, R for a redirect, B for bank transfer instructions. */
const CATALOGUE = `
BR BRL BR_PIX Q, BR_BOLETO R
MX MXN MX_SPEI B, MX_CODI Q, MX_OXXO R
CO COP CO_PSE R, CO_NEQUI R
CL CLP CL_WEBPAY R, CL_KHIPU R
PE PEN PE_YAPE R, PE_PAGOEFECTIVO R
AR ARS AR_TRANSFER_QR Q, AR_CVU B
ID IDR ID_QRIS Q, ID_BCA_VA B, ID_OVO R, ID_DANA R
PH PHP PH_QRPH Q, PH_GCASH R
TH THB TH_PROMPTPAY Q, TH_TRUEMONEY R
MY MYR MY_DUITNOW_QR Q, MY_FPX R
SG SGD SG_PAYNOW Q
VN VND VN_VIETQR Q, VN_MOMO R
IN INR IN_UPI_QR Q, IN_NETBANKING R
JP JPY JP_BANK_TRANSFER B, JP_KONBINI R
KR KRW KR_VIRTUAL_ACCOUNT B, KR_KAKAOPAY R
KW KWD KW_KNET R
NG NGN NG_BANK_TRANSFER B, NG_USSD R
KE KES KE_MPESA R
ZA ZAR ZA_INSTANT_EFT R
GB GBP GB_FASTER_PAYMENTS B
NL EUR NL_IDEAL R
DE EUR DE_SEPA_TRANSFER B`;

const ACTIONS: Readonly<Record<string, string>> = {
  Q: "display_qr_code",
  R: "redirect_to_url",
  B: "display_bank_transfer_instructions",
};
/** Paid at a counter or by the next banking day. */
const VOUCHERS = ["BR_BOLETO", "MX_OXXO", "PE_PAGOEFECTIVO", "JP_KONBINI"];

describe("the catalogue", () => {
  it("has the 40 methods, each with its country, currency and next action", () => {
    const expected = CATALOGUE.trim()
      .split("\n")
      .flatMap((line) => {
        const [country, currency] = line.split(" ");
        const methods = line.slice(7).split(", ");
        return methods.map((method) => [country, currency, method.slice(0, -2), ACTIONS[method.slice(-1)]]);
      });
    expect(expected).toHaveLength(40);
    const actual = PAYMENT_METHODS.map((method) => [
      method.country,
      method.currency,
      method.code,
      method.nextActionType,
    ]);
    expect(actual).toEqual(expected);
  });

  it("has a name for each method, of its own within its country", () => {
    for (const { name } of PAYMENT_METHODS) expect(name).toMatch(/^[A-Z]\S.*\S$|^iDEAL$/);
    const names = new Set(PAYMENT_METHODS.map(({ country, name }) => `${country} ${name}`));
    expect(names.size).toBe(PAYMENT_METHODS.length);
  });

  it("lets a payer take 30 minutes, and 72 hours for transfers and vouchers", () => {
    for (const { code, nextActionType, expiresInSeconds } of PAYMENT_METHODS) {
      const isSlow = nextActionType === "display_bank_transfer_instructions" || VOUCHERS.includes(code);
      expect([code, expiresInSeconds]).toEqual([code, isSlow ? 259_200 : 1_800]);
    }
  });

  it("gives a provider 72 hours to decide, and 120 where the scheme clears on banking days only", () => {
    const slow = PAYMENT_METHODS.filter(({ decidesInSeconds }) => decidesInSeconds === 432_000).map(({ code }) => code);
    expect(slow).toEqual(["BR_BOLETO", "JP_BANK_TRANSFER", "DE_SEPA_TRANSFER"]);
    expect(new Set(PAYMENT_METHODS.map(({ decidesInSeconds }) => decidesInSeconds))).toEqual(
      new Set([259_200, 432_000]),
    );
  });

  it("has codes, countries and currencies of the documented form, and bounds that an amount can express", () => {
    for (const method of PAYMENT_METHODS) {
      expect(method.code).toMatch(/^[A-Z]{2}_[A-Z0-9_]{2,40}$/);
      expect([isCountry(method.country), isIsoCurrency(method.currency)]).toEqual([true, true]);
      expect(method.minimumAmount).toBeGreaterThan(0n);
      expect(method.maximumAmount).toBeGreaterThan(method.minimumAmount);
      expect(parseAmount(method.maximumAmount.toString(), method.currency)).toBe(method.maximumAmount);
    }
  });
});

it.each(["", "BR_PIX ", "br_pix", "BR_PI", "__proto__", "toString"])("finds no method %j", (code) => {
  expect(findPaymentMethod(code)).toBeNull();
});
