// The sandbox's fixed rates of tokens per currency: round figures near the market's.
import type { TopupOffer } from "../gateway";

/** Units of each ISO 4217 currency for one US dollar. */
const PER_DOLLAR =
  "AED 3.6725 AFN 70 ALL 90 AMD 390 ANG 1.79 AOA 910 ARS 1400 AUD 1.52 AWG 1.79 AZN 1.7 BAM 1.8 BBD 2 BDT 122 BGN 1.8 " +
  "BHD 0.376 BIF 2950 BMD 1 BND 1.3 BOB 6.91 BRL 5.43 BSD 1 BTN 88 BWP 13.5 BYN 3.2 BZD 2 CAD 1.38 CDF 2850 CHF 0.81 " +
  "CLF 0.0245 CLP 960 CNY 7.15 COP 4100 CRC 510 CUP 24 CVE 101 CZK 22.4 DJF 177.721 DKK 6.85 DOP 61 DZD 130 EGP 50 ERN 15 " +
  "ETB 135 EUR 0.92 FJD 2.25 FKP 0.78 GBP 0.78 GEL 2.7 GHS 12 GIP 0.78 GMD 71 GNF 8650 GTQ 7.7 GYD 209 HKD 7.8 HNL 25.8 " +
  "HTG 131 HUF 360 IDR 16200 ILS 3.7 INR 84 IQD 1310 IRR 42000 ISK 138 JMD 157 JOD 0.709 JPY 150 KES 129 KGS 87.4 " +
  "KHR 4050 KMF 450 KPW 900 KRW 1380 KWD 0.307 KYD 0.8333 KZT 510 LAK 21800 LBP 89500 LKR 300 LRD 185 LSL 18 LYD 4.85 " +
  "MAD 9.8 MDL 17.8 MGA 4500 MKD 56 MMK 2100 MNT 3400 MOP 8.03 MRU 39.8 MUR 46 MVR 15.4 MWK 1735 MXN 18.5 MYR 4.4 " +
  "MZN 63.9 NAD 18 NGN 1550 NIO 36.8 NOK 10.9 NPR 134.4 NZD 1.65 OMR 0.3845 PAB 1 PEN 3.72 PGK 3.95 PHP 57 PKR 280 " +
  "PLN 3.95 PYG 7600 QAR 3.64 RON 4.58 RSD 107.5 RUB 92 RWF 1360 SAR 3.75 SBD 8.4 SCR 14 SDG 600 SEK 10.6 SGD 1.33 " +
  "SHP 0.78 SLE 22.7 SOS 571 SRD 36 SSP 4500 STN 22.5 SVC 8.75 SYP 13000 SZL 18 THB 34 TJS 10.7 TMT 3.5 TND 3.1 TOP 2.35 " +
  "TRY 35 TTD 6.79 TWD 32.3 TZS 2600 UAH 41.3 UGX 3680 USD 1 UYI 6.8 UYU 42 UYW 0.0081 UZS 12800 VED 36 VES 36 VND 25400 " +
  "VUV 119 WST 2.75 XAF 603 XCD 2.7 XCG 1.79 XOF 603 XPF 110 YER 250 ZAR 18 ZMW 27 ZWG 26";

/** US dollars for one token. */
const TOKEN_DOLLARS: Readonly<Record<string, bigint>> = { USDT: 1n, USDC: 1n, BTC: 95_000n, ETH: 3_300n };

const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  USDT: ["tron", "ethereum", "polygon"],
  USDC: ["ethereum", "polygon", "base"],
  BTC: ["bitcoin"],
  ETH: ["ethereum", "base"],
};

const FEE_BASIS_POINTS = 10;
const MICRO = 1_000_000n;

function toMicros(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole) * MICRO + BigInt(fraction.padEnd(6, "0"));
}

const MICROS_PER_DOLLAR: ReadonlyMap<string, bigint> = new Map(
  (PER_DOLLAR.match(/[A-Z]{3} [0-9.]+/g) ?? []).map((entry) => [entry.slice(0, 3), toMicros(entry.slice(4))] as const),
);

/** Returns the value of one source token in millionths of a destination unit, or null without a rate for the pair. */
function rateMicros(source: string, destination: string): bigint | null {
  const dollars = TOKEN_DOLLARS[source];
  if (dollars === undefined) return null;
  const worth = TOKEN_DOLLARS[destination];
  if (worth !== undefined) return (dollars * MICRO) / worth;
  const perDollar = MICROS_PER_DOLLAR.get(destination);
  return perDollar === undefined ? null : dollars * perDollar;
}

/** Returns the sandbox's terms for a pair, or null if it does not convert it. Rates have six fraction digits. */
export function sandboxOffer(source: string, destination: string): TopupOffer | null {
  const micros = rateMicros(source, destination);
  const networks = NETWORKS[source];
  if (micros === null || !networks) return null;
  const rate = `${micros / MICRO}.${(micros % MICRO).toString().padStart(6, "0")}`;
  return { rate, feeBasisPoints: FEE_BASIS_POINTS, networks };
}
