// The texts of the sandbox's QR codes: EMV merchant-presented codes, a real BR Code among them.
import { toDecimalString } from "@/server/domain/money";
import { digestOf, digitsOf } from "./derive";

/** One field: two digits of tag, two of length, the value. */
function field(tag: string, value: string): string {
  if (value.length > 99) throw new RangeError(`an EMV field holds 99 characters, ${tag} has ${value.length}`);
  return tag + value.length.toString().padStart(2, "0") + value;
}

/** CRC-16/CCITT-FALSE over ASCII: polynomial 0x1021, start 0xFFFF, not reflected; four upper-case hex digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, "ascii")) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** Appends the checksum field; the checksum covers that field's own tag and length. */
export function withChecksum(fields: string): string {
  return `${fields}6304${crc16(`${fields}6304`)}`;
}

interface Scheme {
  /** Tag of the merchant account field (02–51) and the scheme's identifier inside it. */
  readonly tag: string;
  readonly identifier: string;
  readonly currencyNumber: string;
  readonly city: string;
}

const SCHEMES: Readonly<Record<string, Scheme>> = {
  BR_PIX: { tag: "26", identifier: "br.gov.bcb.pix", currencyNumber: "986", city: "SAO PAULO" },
  MX_CODI: { tag: "26", identifier: "mx.banxico.codi", currencyNumber: "484", city: "CDMX" },
  AR_TRANSFER_QR: { tag: "43", identifier: "ar.com.transferencias3", currencyNumber: "032", city: "BUENOS AIRES" },
  ID_QRIS: { tag: "26", identifier: "ID.CO.QRIS.WWW", currencyNumber: "360", city: "JAKARTA" },
  PH_QRPH: { tag: "28", identifier: "ph.ppmi.p2m", currencyNumber: "608", city: "MANILA" },
  TH_PROMPTPAY: { tag: "30", identifier: "A000000677010112", currencyNumber: "764", city: "BANGKOK" },
  MY_DUITNOW_QR: { tag: "26", identifier: "A0000006150001", currencyNumber: "458", city: "KUALA LUMPUR" },
  SG_PAYNOW: { tag: "26", identifier: "SG.PAYNOW", currencyNumber: "702", city: "SINGAPORE" },
  VN_VIETQR: { tag: "38", identifier: "A000000727", currencyNumber: "704", city: "HA NOI" },
  IN_UPI_QR: { tag: "26", identifier: "A000000524", currencyNumber: "356", city: "MUMBAI" },
};

/** The random key (EVP) of a Pix account is a UUID; other schemes take a number. */
function accountKey(methodCode: string, reference: string): string {
  if (methodCode !== "BR_PIX") return digitsOf(reference, "qr", 15);
  const hex = digestOf(reference, "qr").toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface QrPayment {
  readonly reference: string;
  readonly methodCode: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
}

/** Returns the QR code text for one payment, or null for a method without QR codes. */
export function qrText(payment: QrPayment): string | null {
  const scheme = SCHEMES[payment.methodCode];
  if (!scheme) return null;
  const account = field("00", scheme.identifier) + field("01", accountKey(payment.methodCode, payment.reference));
  const label = digestOf(payment.reference, "label").toString("hex").slice(0, 25).toUpperCase();
  return withChecksum(
    [
      field("00", "01"),
      field(scheme.tag, account),
      field("52", "0000"),
      field("53", scheme.currencyNumber),
      field("54", toDecimalString(payment.amount, payment.currency)),
      field("58", payment.country),
      field("59", "SLUICE SANDBOX"),
      field("60", scheme.city),
      field("62", field("05", label)),
    ].join(""),
  );
}
