// The lists that the rules use: ISO countries, the catalogue of methods, what the tables' merchant may use.

/** ISO 3166-1 alpha-2, assigned codes, by first letter. */
const SECOND_LETTERS: Readonly<Record<string, string>> = {
  A: "DEFGILMOQRSTUWXZ",
  B: "ABDEFGHIJLMNOQRSTVWYZ",
  C: "ACDFGHIKLMNORUVWXYZ",
  D: "EJKMOZ",
  E: "CEGHRST",
  F: "IJKMOR",
  G: "ABDEFGHILMNPQRSTUWY",
  H: "KMNRTU",
  I: "DELMNOQRST",
  J: "EMOP",
  K: "EGHIMNPRWYZ",
  L: "ABCIKRSTUVY",
  M: "ACDEFGHKLMNOPQRSTUVWXYZ",
  N: "ACEFGILOPRUZ",
  O: "M",
  P: "AEFGHKLMNRSTWY",
  Q: "A",
  R: "EOSUW",
  S: "ABCDEGHIJKLMNORSTVXYZ",
  T: "CDFGHJKLMNORTVWZ",
  U: "AGMSYZ",
  V: "ACEGINU",
  W: "FS",
  Y: "ET",
  Z: "AMW",
};

export const COUNTRIES: ReadonlySet<string> = new Set(
  Object.entries(SECOND_LETTERS).flatMap(([first, seconds]) => [...seconds].map((second) => first + second)),
);

const METHODS =
  "BRL BR_PIX BR_BOLETO, MXN MX_SPEI MX_CODI MX_OXXO, COP CO_PSE CO_NEQUI, CLP CL_WEBPAY CL_KHIPU, " +
  "PEN PE_YAPE PE_PAGOEFECTIVO, ARS AR_TRANSFER_QR AR_CVU, IDR ID_QRIS ID_BCA_VA ID_OVO ID_DANA, PHP PH_QRPH PH_GCASH, " +
  "THB TH_PROMPTPAY TH_TRUEMONEY, MYR MY_DUITNOW_QR MY_FPX, SGD SG_PAYNOW, VND VN_VIETQR VN_MOMO, " +
  "INR IN_UPI_QR IN_NETBANKING, JPY JP_BANK_TRANSFER JP_KONBINI, KRW KR_VIRTUAL_ACCOUNT KR_KAKAOPAY, KWD KW_KNET, " +
  "NGN NG_BANK_TRANSFER NG_USSD, KES KE_MPESA, ZAR ZA_INSTANT_EFT, GBP GB_FASTER_PAYMENTS, EUR NL_IDEAL DE_SEPA_TRANSFER";

/** Method code → where and in which currency it collects. */
export const CATALOGUE: ReadonlyMap<string, { readonly country: string; readonly currency: string }> = new Map(
  METHODS.split(", ").flatMap((group) => {
    const [currency = "", ...codes] = group.split(" ");
    return codes.map((code) => [code, { country: code.slice(0, 2), currency }] as const);
  }),
);

/** Minor-unit digits of the currencies that the tables' merchant has enabled. */
const ENABLED_DIGITS: Readonly<Record<string, number>> = { BRL: 2, MXN: 2, USD: 2, JPY: 0, KWD: 3, USDT: 6 };

export const ENABLED: ReadonlySet<string> = new Set(Object.keys(ENABLED_DIGITS));
export const TOKENS: ReadonlySet<string> = new Set(["USDT", "USDC", "BTC", "ETH"]);

/** A new test wallet contains 1,000,000 major units of each enabled currency. */
export const FUNDED: ReadonlyMap<string, bigint> = new Map(
  Object.entries(ENABLED_DIGITS).map(([currency, digits]) => [currency, 1_000_000n * 10n ** BigInt(digits)] as const),
);

/** Networks on which the sandbox accepts USDT, the token of the tables' top-ups. */
export const KNOWN_NETWORKS: ReadonlySet<string> = new Set(["tron", "ethereum", "polygon"]);

export const STATUSES = {
  payment: ["processing", "requires_action", "succeeded", "failed", "expired"],
  payout: ["requires_approval", "processing", "succeeded", "failed", "cancelled"],
  topup: ["requires_payment", "processing", "succeeded", "failed", "expired"],
} as const;

export const SOURCE_TYPES = ["provider_gateway", "bank_transfer", "manual"];

/** The closed list of event types. */
export const EVENT_TYPES: readonly string[] = [
  "payment_intent.succeeded",
  "payment_intent.failed",
  "payment_intent.expired",
  "payout_intent.succeeded",
  "payout_intent.failed",
  "payout_intent.cancelled",
];
