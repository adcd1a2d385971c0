// The demo merchant's history: intents for every status of every kind, with their steps.
import type {
  SIMULATED_PAYMENT_OUTCOMES,
  SIMULATED_PAYOUT_OUTCOMES,
  SIMULATED_TOPUP_OUTCOMES,
} from "@/server/domain/simulated-outcomes";

type Steps<Outcome extends string> = readonly Outcome[];

/** Amounts are minor units. Their last two digits avoid the sandbox's magic ones, except on purpose. */
export interface DemoPayment {
  readonly method: string;
  readonly amount: string;
  readonly customer: string;
  readonly description: string;
  readonly steps: Steps<(typeof SIMULATED_PAYMENT_OUTCOMES)[number]>;
}

export const DEMO_PAYMENTS: readonly DemoPayment[] = [
  { method: "BR_PIX", amount: "12990", customer: "Ana Souza", description: "Two concert tickets, row 7", steps: [] },
  {
    method: "MX_SPEI",
    amount: "245000",
    customer: "Luis Hernández",
    description: "Course in ceramics, 8 evenings",
    steps: [],
  },
  { method: "JP_KONBINI", amount: "4980", customer: "Sato Yui", description: "Tea set with 2 cups", steps: [] },
  {
    method: "ID_QRIS",
    amount: "15000000",
    customer: "Dewi Lestari",
    description: "Batik dress, size M",
    steps: ["pending"],
  },
  {
    method: "KW_KNET",
    amount: "12500",
    customer: "Fahad Al-Sabah",
    description: "Coffee beans, 1 kg",
    steps: ["pending"],
  },
  {
    method: "BR_PIX",
    amount: "8990",
    customer: "Bruno Lima",
    description: "Running shoes, size 42",
    steps: ["succeeded"],
  },
  {
    method: "MX_OXXO",
    amount: "59900",
    customer: "María Torres",
    description: "Cookbook, signed",
    steps: ["pending", "succeeded"],
  },
  { method: "JP_BANK_TRANSFER", amount: "128002", customer: "Tanaka Ren", description: "Desk lamp", steps: [] },
  { method: "BR_BOLETO", amount: "320050", customer: "Carla Dias", description: "Bicycle repair", steps: ["declined"] },
  { method: "ID_OVO", amount: "7500000", customer: "Budi Santoso", description: "Guitar lesson", steps: ["cancelled"] },
  { method: "KW_KNET", amount: "8201", customer: "Noura Al-Rashid", description: "Perfume, 50 ml", steps: [] },
  { method: "MX_CODI", amount: "18050", customer: "Jorge Ruiz", description: "Garden chair", steps: ["expired"] },
  {
    method: "ID_BCA_VA",
    amount: "99000000",
    customer: "Siti Rahma",
    description: "Sewing machine",
    steps: ["expired"],
  },
];

type PayoutStep = "approve" | "cancel" | (typeof SIMULATED_PAYOUT_OUTCOMES)[number];

export interface DemoPayout {
  readonly currency: string;
  readonly country: string;
  readonly amount: string;
  readonly holderName: string;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly steps: Steps<PayoutStep>;
  /** The reason of a cancellation. */
  readonly reason?: string;
}

const BANK_BR = { currency: "BRL", country: "BR", bankCode: "341" } as const;
const BANK_MX = { currency: "MXN", country: "MX", bankCode: "012" } as const;
const BANK_US = { currency: "USD", country: "US", bankCode: "021000021" } as const;
const BANK_JP = { currency: "JPY", country: "JP", bankCode: "0005" } as const;

export const DEMO_PAYOUTS: readonly DemoPayout[] = [
  { ...BANK_BR, amount: "150000", holderName: "Padaria Estrela Ltda", accountNumber: "0001-23456-7", steps: [] },
  { ...BANK_MX, amount: "480050", holderName: "Textiles del Norte SA", accountNumber: "012180001234567897", steps: [] },
  { ...BANK_US, amount: "1250000", holderName: "Harbor Supply Co", accountNumber: "000123456789", steps: [] },
  { ...BANK_BR, amount: "72040", holderName: "Oficina Boa Vista", accountNumber: "0032-99871-0", steps: ["approve"] },
  { ...BANK_JP, amount: "350000", holderName: "Sakura Shoji KK", accountNumber: "1234567", steps: ["approve"] },
  {
    ...BANK_MX,
    amount: "96000",
    holderName: "Café Quetzal",
    accountNumber: "012180009876543216",
    steps: ["approve", "settled"],
  },
  {
    ...BANK_US,
    amount: "310075",
    holderName: "Elm Street Design",
    accountNumber: "000987654321",
    steps: ["approve", "settled"],
  },
  {
    ...BANK_BR,
    amount: "18050",
    holderName: "Studio Maré",
    accountNumber: "0417-55512-3",
    steps: ["approve", "declined"],
  },
  {
    ...BANK_JP,
    amount: "92000",
    holderName: "Midori Press",
    accountNumber: "7654321",
    steps: ["approve", "invalid_recipient"],
  },
  {
    ...BANK_MX,
    amount: "25000",
    holderName: "Luz y Sombra",
    accountNumber: "012180005554443332",
    steps: ["cancel"],
    reason: "Duplicate of an earlier invoice",
  },
  { ...BANK_US, amount: "640050", holderName: "Northwind Rentals", accountNumber: "000555444333", steps: ["cancel"] },
];

export interface DemoTopup {
  readonly currency: string;
  readonly country: string;
  readonly amount: string;
  readonly network: string;
  readonly steps: Steps<(typeof SIMULATED_TOPUP_OUTCOMES)[number]>;
}

export const DEMO_TOPUPS: readonly DemoTopup[] = [
  { currency: "BRL", country: "BR", amount: "2500000", network: "tron", steps: [] },
  { currency: "MXN", country: "MX", amount: "1800050", network: "ethereum", steps: ["underpaid"] },
  { currency: "USD", country: "US", amount: "5000000", network: "polygon", steps: ["funds_seen"] },
  { currency: "BRL", country: "BR", amount: "1000000", network: "tron", steps: ["funds_seen", "succeeded"] },
  { currency: "USDT", country: "US", amount: "750000002", network: "tron", steps: [] },
  { currency: "IDR", country: "ID", amount: "12000000000", network: "tron", steps: ["declined"] },
  { currency: "JPY", country: "JP", amount: "400000", network: "ethereum", steps: ["expired"] },
  { currency: "KWD", country: "KW", amount: "900050", network: "polygon", steps: ["expired"] },
];
