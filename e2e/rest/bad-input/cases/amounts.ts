// Cases of amounts: everything but a positive integer of minor units as plain text.
import { BODIES, bodyCase, changed, fieldCase, headersOf, PATHS } from "../bodies";
import { invalid, type Operation } from "../oracle";
import type { BadInput } from "../table";

const WRONG: readonly string[] = [
  "0",
  "00",
  "-0",
  "+0",
  "01",
  "00001050",
  "+1",
  "-1",
  "--1",
  "1-",
  " 1",
  "1 ",
  "1\n",
  "\n1",
  "1\r\n",
  "\t1",
  "1 050",
  "1\u00a0050",
  "1\u202f050",
  "\u200b1",
  "1\u200d",
  "\ufeff1",
  "\u200e1",
  "\u202e1",
  "1,050",
  "1.050",
  "1'050",
  "1_050",
  "1.0",
  "1.",
  ".1",
  "0.1",
  "10.50",
  "10,50",
  "1e3",
  "1E3",
  "1e+3",
  "1e-3",
  "1e1000",
  "0x10",
  "0X10",
  "0b11",
  "0o17",
  "#10",
  "1n",
  "10n",
  "1f",
  "1L",
  "$1",
  "1$",
  "R$ 10",
  "BRL 10",
  "10 BRL",
  "10%",
  "1/2",
  "\u00bd",
  "1+1",
  "1*1",
  "(1)",
  "[1]",
  '"1"',
  "'1'",
  "NaN",
  "Infinity",
  "-Infinity",
  "null",
  "true",
  "one",
  "I",
  "\uff11\uff10",
  "\u0661\u0660",
  "\u06f1\u06f0",
  "\u0967\u0966",
  "\u0e51",
  "\u4e00",
  "\u2460",
  "\u00b2",
  "\u2081",
  "\u{1d7cf}",
  "\u2167",
  "1\u0301",
  "1\u20e3",
  "1;",
  "1--",
  "1' OR '1'='1",
  "1; DROP TABLE payment_intent",
  "1::bigint",
  "${1}",
  "%31",
  "\\u0031",
  "9".repeat(31),
  `1${"0".repeat(30)}`,
  `1${"0".repeat(40)}`,
  "-9223372036854775809",
  "{{repeat:310:9}}",
  "{{repeat:60000:9}}",
];

/** Valid in form, but with more digits than an ISO 4217 currency may have. */
const TOO_LONG_FOR_ISO: readonly string[] = [
  "9007199254740993",
  "1000000000000000",
  "9999999999999999",
  "9223372036854775807",
  "9223372036854775808",
  "18446744073709551616",
  "340282366920938463463374607431768211456",
  "9".repeat(17),
  "9".repeat(20),
  "9".repeat(30),
];

const FIELDS: readonly (readonly [Operation, string])[] = [
  ["payment", "amount"],
  ["payout", "amount"],
  ["topup", "destination.amount"],
];

/** Valid, but more than the wallet contains. */
const BEYOND_THE_WALLET: Readonly<Record<string, readonly string[]>> = {
  BRL: ["100000001", "999999999", "1000000000000", "999999999999999"],
  KWD: ["1000000001", "999999999999999"],
  JPY: ["1000001", "100000000", "999999999999999"],
  USDT: ["1000000000001", "9999999999999999", "9223372036854775808", "1".repeat(25), "9".repeat(29), "9".repeat(30)],
};

/**
 * Valid, but worth more source units than 38 digits can express: 30 digits of USDT paid in ETH, which has 18 decimals.
 */
function beyondStorage(): BadInput {
  const body = {
    ...BODIES.topup,
    destination: { amount: "9".repeat(30), currency: "USDT" },
    source: { type: "provider_gateway", currency: "ETH" },
  };
  const name = "topup: more of the source than can be counted";
  return {
    name,
    method: "POST",
    path: PATHS.topup,
    ...headersOf("topup"),
    body,
    expect: invalid("destination.amount"),
  };
}

function shown(amount: string): string {
  return amount.length > 45 ? `${amount.slice(0, 12)}\u2026 (${amount.length})` : JSON.stringify(amount);
}

export function amountCases(): BadInput[] {
  // The three fields share the form of an amount, so each fault is sent to two of them.
  const forms = WRONG.flatMap((amount, index) =>
    [index, index + 1].map((turn) => {
      const [operation, path] = FIELDS[turn % FIELDS.length] ?? ["payment", "amount"];
      return fieldCase(`${operation}: ${path} ${shown(amount)}`, operation, path, amount);
    }),
  );
  const long = FIELDS.flatMap(([operation, path]) =>
    TOO_LONG_FOR_ISO.map((amount) => fieldCase(`${operation}: ${path} ${shown(amount)}`, operation, path, amount)),
  );
  const sums = Object.entries(BEYOND_THE_WALLET).flatMap(([currency, list]) =>
    list.map((amount) => {
      const body = changed(changed(BODIES.payout, "currency", currency), "amount", amount);
      return bodyCase(`payout: ${currency} ${shown(amount)} is more than there is`, "payout", body);
    }),
  );
  return [...forms, ...long, ...sums.filter((one) => one !== null), beyondStorage()];
}
