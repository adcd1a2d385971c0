// The catalogue of payment methods: country, currency, how the customer pays, amount bounds, how long they may take.

export const NEXT_ACTION_TYPES = ["redirect_to_url", "display_qr_code", "display_bank_transfer_instructions"] as const;
export type NextActionType = (typeof NEXT_ACTION_TYPES)[number];

export interface PaymentMethod {
  /** `<CC>_<METHOD>` (interface §2.1). */
  readonly code: string;
  readonly name: string;
  readonly country: string;
  readonly currency: string;
  readonly nextActionType: NextActionType;
  /** Bounds in minor units, both inclusive. */
  readonly minimumAmount: bigint;
  readonly maximumAmount: bigint;
  /** Time the customer has to pay, in seconds. */
  readonly expiresInSeconds: number;
  /** Time the provider has to decide once the customer has acted, in seconds; after it a person is asked. */
  readonly decidesInSeconds: number;
}

const MINUTES = 60;
const HOURS = 60 * MINUTES;
const QUICK = 30 * MINUTES;
/** Bank transfers and vouchers are paid at a counter or the next banking day. */
const SLOW = 72 * HOURS;
/** How long a provider may take to decide, unless the method's scheme takes longer. */
export const DECISION_SECONDS = 72 * HOURS;
/** Cleared on banking days only: a long weekend passes before the provider can decide. */
const CLEARING: ReadonlySet<string> = new Set(["BR_BOLETO", "DE_SEPA_TRANSFER", "JP_BANK_TRANSFER"]);
const CLEARING_DECISION_SECONDS = 120 * HOURS;

const R = "redirect_to_url";
const Q = "display_qr_code";
const B = "display_bank_transfer_instructions";

/** Per currency: smallest and largest amount in minor units that the schemes of that country carry. */
const BOUNDS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  BRL: [1n, 10_000_000_00n],
  MXN: [1n, 10_000_000_00n],
  COP: [1n, 10_000_000_000_00n],
  CLP: [1n, 10_000_000_000n],
  PEN: [1n, 10_000_000_00n],
  ARS: [1n, 10_000_000_000_00n],
  IDR: [1n, 100_000_000_000_00n],
  PHP: [1n, 100_000_000_00n],
  THB: [1n, 100_000_000_00n],
  MYR: [1n, 10_000_000_00n],
  SGD: [1n, 10_000_000_00n],
  VND: [1n, 100_000_000_000n],
  INR: [1n, 1_000_000_000_00n],
  JPY: [1n, 1_000_000_000n],
  KRW: [1n, 10_000_000_000n],
  KWD: [1n, 1_000_000_000n],
  NGN: [1n, 10_000_000_000_00n],
  KES: [1n, 1_000_000_000_00n],
  ZAR: [1n, 100_000_000_00n],
  GBP: [1n, 10_000_000_00n],
  EUR: [1n, 10_000_000_00n],
};

type Row = readonly [code: string, name: string, currency: string, action: NextActionType, expiresInSeconds: number];

const ROWS: readonly Row[] = [
  ["BR_PIX", "Pix", "BRL", Q, QUICK],
  ["BR_BOLETO", "Boleto", "BRL", R, SLOW],
  ["MX_SPEI", "SPEI", "MXN", B, SLOW],
  ["MX_CODI", "CoDi", "MXN", Q, QUICK],
  ["MX_OXXO", "OXXO", "MXN", R, SLOW],
  ["CO_PSE", "PSE", "COP", R, QUICK],
  ["CO_NEQUI", "Nequi", "COP", R, QUICK],
  ["CL_WEBPAY", "Webpay", "CLP", R, QUICK],
  ["CL_KHIPU", "Khipu", "CLP", R, QUICK],
  ["PE_YAPE", "Yape", "PEN", R, QUICK],
  ["PE_PAGOEFECTIVO", "PagoEfectivo", "PEN", R, SLOW],
  ["AR_TRANSFER_QR", "Transferencias 3.0", "ARS", Q, QUICK],
  ["AR_CVU", "CVU transfer", "ARS", B, SLOW],
  ["ID_QRIS", "QRIS", "IDR", Q, QUICK],
  ["ID_BCA_VA", "BCA virtual account", "IDR", B, SLOW],
  ["ID_OVO", "OVO", "IDR", R, QUICK],
  ["ID_DANA", "DANA", "IDR", R, QUICK],
  ["PH_QRPH", "QR Ph", "PHP", Q, QUICK],
  ["PH_GCASH", "GCash", "PHP", R, QUICK],
  ["TH_PROMPTPAY", "PromptPay", "THB", Q, QUICK],
  ["TH_TRUEMONEY", "TrueMoney", "THB", R, QUICK],
  ["MY_DUITNOW_QR", "DuitNow QR", "MYR", Q, QUICK],
  ["MY_FPX", "FPX", "MYR", R, QUICK],
  ["SG_PAYNOW", "PayNow", "SGD", Q, QUICK],
  ["VN_VIETQR", "VietQR", "VND", Q, QUICK],
  ["VN_MOMO", "MoMo", "VND", R, QUICK],
  ["IN_UPI_QR", "UPI QR", "INR", Q, QUICK],
  ["IN_NETBANKING", "Net banking", "INR", R, QUICK],
  ["JP_BANK_TRANSFER", "Bank transfer", "JPY", B, SLOW],
  ["JP_KONBINI", "Konbini", "JPY", R, SLOW],
  ["KR_VIRTUAL_ACCOUNT", "Virtual account", "KRW", B, SLOW],
  ["KR_KAKAOPAY", "KakaoPay", "KRW", R, QUICK],
  ["KW_KNET", "KNET", "KWD", R, QUICK],
  ["NG_BANK_TRANSFER", "Bank transfer", "NGN", B, SLOW],
  ["NG_USSD", "USSD", "NGN", R, QUICK],
  ["KE_MPESA", "M-PESA", "KES", R, QUICK],
  ["ZA_INSTANT_EFT", "Instant EFT", "ZAR", R, QUICK],
  ["GB_FASTER_PAYMENTS", "Faster Payments", "GBP", B, SLOW],
  ["NL_IDEAL", "iDEAL", "EUR", R, QUICK],
  ["DE_SEPA_TRANSFER", "SEPA credit transfer", "EUR", B, SLOW],
];

function toMethod([code, name, currency, nextActionType, expiresInSeconds]: Row): PaymentMethod {
  const bounds = BOUNDS[currency];
  if (!bounds) throw new RangeError(`no amount bounds for ${currency}`);
  const [minimumAmount, maximumAmount] = bounds;
  return {
    code,
    name,
    country: code.slice(0, 2),
    currency,
    nextActionType,
    minimumAmount,
    maximumAmount,
    expiresInSeconds,
    decidesInSeconds: CLEARING.has(code) ? CLEARING_DECISION_SECONDS : DECISION_SECONDS,
  };
}

export const PAYMENT_METHODS: readonly PaymentMethod[] = ROWS.map(toMethod);

const BY_CODE: ReadonlyMap<string, PaymentMethod> = new Map(PAYMENT_METHODS.map((method) => [method.code, method]));

/** The catalogue's entry for a method code, or null when the catalogue has none. */
export function findPaymentMethod(code: string): PaymentMethod | null {
  return BY_CODE.get(code) ?? null;
}
