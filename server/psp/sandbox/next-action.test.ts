// The sandbox instructs the payer of every method in the right shape, with valid checksums.
import { describe, expect, it } from "vitest";
import { ISO_CURRENCIES, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { samplePayment } from "../testing/requests";
import { withClabeDigit, withCvuDigits, withNubanDigit } from "./check-digits";
import { cryptoAddress } from "./crypto-address";
import { paymentNextAction } from "./next-action";
import { crc16 } from "./qr-code";
import { sandboxOffer } from "./rates";

const CODES = PAYMENT_METHODS.map((method) => method.code);

/** Reads tag, length, value until the text ends; throws when the lengths do not add up. */
function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const end = at + 4 + Number(text.slice(at + 2, at + 4));
    if (!(end <= text.length)) throw new RangeError(`the field at ${at} is cut off`);
    fields.set(text.slice(at, at + 2), text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

function accountOf(code: string, reference: string): string {
  const action = paymentNextAction(samplePayment(1050n, code, { reference }));
  if (action.type !== "display_bank_transfer_instructions") throw new TypeError(action.type);
  return action.financial_addresses[0]?.account_number ?? "";
}

describe("next actions of the sandbox", () => {
  it.each(CODES)("exist in the method's own shape and as a redirect: %s", (code) => {
    const request = samplePayment(100_000n, code);
    expect(paymentNextAction(request)).toMatchObject({
      type: request.method.nextActionType,
      expires_at: request.expiresAt.toISOString(),
    });
    expect(paymentNextAction({ ...request, nextActionType: "redirect_to_url" })).toEqual({
      type: "redirect_to_url",
      url: request.hostedUrl,
      expires_at: request.expiresAt.toISOString(),
    });
  });

  it.each(PAYMENT_METHODS.filter((method) => method.nextActionType === "display_qr_code").map((method) => method.code))(
    "hold a well-formed QR text with its checksum: %s",
    (code) => {
      const request = samplePayment(1_234_500n, code);
      const action = paymentNextAction(request);
      if (action.type !== "display_qr_code") throw new TypeError(action.type);
      const fields = readFields(action.data);
      expect(fields.get("63")).toBe(crc16(action.data.slice(0, -4)));
      expect(fields.get("58")).toBe(request.country);
      expect(fields.get("54")).toBe(code === "VN_VIETQR" ? "1234500" : "12345.00");
      expect(action.image_url_png).toBe(`${request.hostedUrl}/qr.png`);
    },
  );

  it("have a random key and a label of at most 25 characters for Pix", () => {
    const action = paymentNextAction(samplePayment(1050n));
    if (action.type !== "display_qr_code") throw new TypeError(action.type);
    const fields = readFields(action.data);
    const account = readFields(fields.get("26") ?? "");
    expect(account.get("00")).toBe("br.gov.bcb.pix");
    expect(account.get("01")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(readFields(fields.get("62") ?? "").get("05")).toMatch(/^[A-Z0-9]{25}$/);
  });

  it("have account numbers that a bank would accept, one for each payment", () => {
    for (const reference of ["dord_1", "dord_2", "dord_3"]) {
      const clabe = accountOf("MX_SPEI", reference);
      expect(withClabeDigit(clabe.slice(0, 17))).toBe(clabe);
      const cvu = accountOf("AR_CVU", reference);
      expect(withCvuDigits(cvu.slice(0, 7), cvu.slice(8, 21))).toBe(cvu);
      const nuban = accountOf("NG_BANK_TRANSFER", reference);
      expect(withNubanDigit("999", nuban.slice(0, 9))).toBe(nuban);
      const iban = accountOf("DE_SEPA_TRANSFER", reference);
      expect(BigInt(`${iban.slice(4)}1314${iban.slice(2, 4)}`) % 97n).toBe(1n);
      expect(iban).toMatch(/^DE\d{20}$/);
    }
    expect(accountOf("MX_SPEI", "dord_1")).not.toBe(accountOf("MX_SPEI", "dord_2"));
  });
});

describe("top-ups of the sandbox", () => {
  it("convert every token into every known currency at a rate of six digits above zero", () => {
    for (const source of TOKEN_SYMBOLS) {
      for (const destination of [...ISO_CURRENCIES, ...TOKEN_SYMBOLS]) {
        const offer = sandboxOffer(source, destination);
        expect(offer?.rate, `${source} into ${destination}`).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{6}$/);
        expect(Number(offer?.rate), `${source} into ${destination}`).toBeGreaterThan(0);
      }
    }
    expect(sandboxOffer("BRL", "BRL")).toBeNull();
    expect(sandboxOffer("USDT", "XXX")).toBeNull();
  });

  it("name an address in the form of each network, one for each top-up", () => {
    expect(cryptoAddress("tron", "tuin_1")).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect(cryptoAddress("bitcoin", "tuin_1")).toMatch(/^[mn][1-9A-HJ-NP-Za-km-z]{25,33}$/);
    expect(cryptoAddress("ethereum", "tuin_1")).toMatch(/^0x[0-9a-f]{40}$/);
    expect(cryptoAddress("polygon", "tuin_1")).not.toBe(cryptoAddress("polygon", "tuin_2"));
  });
});
