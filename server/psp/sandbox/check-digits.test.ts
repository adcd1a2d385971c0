// Check digits and checksums against published vectors.
import { describe, expect, it } from "vitest";
import { withClabeDigit, withCvuDigits, withIbanDigits, withNubanDigit } from "./check-digits";
import { base58Check } from "./crypto-address";
import { crc16, withChecksum } from "./qr-code";

describe("check digits", () => {
  it.each([
    ["CLABE", withClabeDigit("03218000011835971"), "032180000118359719"],
    ["CLABE with a zero as check digit's neighbour", withClabeDigit("00201007777777777"), "002010077777777771"],
    ["CBU", withCvuDigits("2850590", "4009041813520"), "2850590940090418135201"],
    ["NUBAN", withNubanDigit("011", "000001457"), "0000014579"],
    ["German IBAN", withIbanDigits("DE", "370400440532013000"), "DE89370400440532013000"],
    ["Belgian IBAN", withIbanDigits("BE", "539007547034"), "BE68539007547034"],
    ["Norwegian IBAN", withIbanDigits("NO", "86011117947"), "NO9386011117947"],
  ])("equal the published ones: %s", (_name, made, published) => {
    expect(made).toBe(published);
  });
});

describe("the checksum of QR codes", () => {
  it("is CRC-16/CCITT-FALSE", () => {
    expect(crc16("123456789")).toBe("29B1");
  });

  it("completes the BR Code of the central bank's manual", () => {
    const fields =
      "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000" +
      "5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***";
    expect(withChecksum(fields)).toBe(`${fields}63041D3D`);
  });
});

describe("Base58Check", () => {
  it("encodes the first address that received bitcoins", () => {
    const hash = Buffer.from("62e907b15cbf27d5425399ebf6f0fb50ebb88f18", "hex");
    expect(base58Check(0x00, hash)).toBe("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa");
  });

  it("encodes the address of Tether's contract on Tron", () => {
    const hash = Buffer.from("a614f803b6fd780986a42c78ec9c7f77e6ded13c", "hex");
    expect(base58Check(0x41, hash)).toBe("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t");
  });
});
