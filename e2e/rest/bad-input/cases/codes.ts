// Cases of currencies, countries and payment methods: wrong forms, unknown, not enabled, not matching.
import { BODIES, bodyCase, changed, fieldCase } from "../bodies";
import type { Operation } from "../oracle";
import { CATALOGUE, COUNTRIES } from "../oracle-lists";
import { judgeParameter, KINDS, LISTS, type ListKind, listPath } from "../oracle-query";
import type { BadInput } from "../table";

const CURRENCIES: readonly string[] = [
  ..."brl Brl bRL BR B BRLL BRLBRL XXX XTS XAU ZZZ AAA USS EUR GBP COP CLP ARS INR USDC BTC ETH DOGE USDTT usdt".split(
    " ",
  ),
  ..."986 840 R$ $ \u20ac \u20bf BRL. BRL, BRL; -BRL BRL1 B1L BR_ BRL\u0301 \u0392RL \u0412RL BRL\u200b \uff22\uff32\uff2c".split(
    " ",
  ),
  "BRL ",
  " BRL",
  "BRL\n",
  "\tBRL",
  "B RL",
  "BRL,MXN",
  "BRL' OR '1'='1",
  "BRL%",
  "BR_",
  "__proto__",
  "constructor",
  "toString",
  "ABCDEFG",
].filter((code, index, all) => all.indexOf(code) === index);

const COUNTRY_FORMS: readonly string[] = [
  ..."br Br bR B BRA BRAZIL 076 55 XX ZZ AA QQ EU UK EN XK AN YU SU ZR 00 A1 1A ?? _R \u0392R \u0412R \uff22\uff32 BR\u0301".split(
    " ",
  ),
  "BR ",
  " BR",
  "BR\n",
  "B R",
  "BR,MX",
  "BR-SP",
  "BR' OR '1'='1",
  "__proto__",
  "\u{1f1e7}\u{1f1f7}",
  "*",
];

const METHODS: readonly string[] = [
  ..."pix PIX br_pix BR_pix Br_Pix BR-PIX BRPIX BR_ _PIX BR_X BR__PIX BR_PIX_ BR_PIX2 BR_PIXX BR_SPEI BR_CARD BRA_PIX B_PIX".split(
    " ",
  ),
  ..."XX_PIX ZZ_ANY BR_NOTHING BR_CONSTRUCTOR BR_PIX;MX_SPEI BR_P\u0399X BR_P\u0130X BR_PIX\u200b BR.PIX BR/PIX BR%5FPIX".split(
    " ",
  ),
  "BR_PIX ",
  " BR_PIX",
  "BR_PIX\n",
  "BR PIX",
  "BR_PIX,BR_BOLETO",
  "BR_PIX' --",
  "BR_%",
  "__proto__",
  `BR_${"A".repeat(41)}`,
  `BR_${"A".repeat(40)}`,
  "BR_{{repeat:3000:A}}",
];

/** Fields that share a rule get the values in turn. */
const IN_BODIES: readonly (readonly [readonly (readonly [Operation, string])[], readonly string[]])[] = [
  [
    [
      ["payment", "currency"],
      ["payout", "currency"],
      ["topup", "destination.currency"],
    ],
    CURRENCIES,
  ],
  [
    [
      ["payout", "country"],
      ["topup", "country"],
      ["payment", "country"],
    ],
    COUNTRY_FORMS,
  ],
  [[["payment", "payment_method"]], METHODS],
];

/** Currencies and lookalikes that are not tokens which the sandbox converts. */
const SOURCES = "BRL USD EUR usdt Usdt USDTX TETHER DAI SOL XRP USD\u20ae US \u0055\u0053\u0044\u0422".split(" ");
const NETWORKS = [
  "sneaker",
  "TRON",
  "trc20",
  "bitcoin",
  "base",
  "tron ",
  " tron",
  "tron\n",
  "tron,ethereum",
  "*",
  "__proto__",
];
const PROVIDERS = ["acme", "SANDBOX", "sandbox ", "http", "../sandbox", "sandbox\n", "__proto__", "sandbox,sandbox"];

/** Every method of the catalogue with a wrong country, and with a currency that is enabled and not its own. */
function mismatches(): (BadInput | null)[] {
  return [...CATALOGUE].flatMap(([code, { country, currency }]) => {
    const own = { ...BODIES.payment, payment_method: code, country, currency };
    const elsewhere = country === "BR" ? "MX" : "BR";
    const other = currency === "BRL" ? "MXN" : "BRL";
    return [
      bodyCase(`${code} for ${elsewhere}`, "payment", changed({ ...own, currency: other }, "country", elsewhere)),
      bodyCase(`${code} in ${other}`, "payment", changed(own, "currency", other)),
      bodyCase(`${code} in ${currency}, if that is not enabled`, "payment", own),
    ];
  });
}

/** The lists share their rules, so each value is sent to one of them in turn. */
function inLists(name: string, values: readonly string[], kinds: readonly ListKind[]): BadInput[] {
  return values.flatMap((value, index) => {
    const kind = kinds[index % kinds.length] ?? "payment";
    const expect = judgeParameter(kind, name, [value]);
    const path = listPath(kind, name, [value]);
    return expect ? [{ name: `${kind} list: ${name}=${JSON.stringify(value)}`, method: "GET", path, expect }] : [];
  });
}

/** Every pair of letters that ISO 3166-1 has not assigned, over the three lists in turn. */
function unassignedCountries(): BadInput[] {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  return pairs
    .filter((pair) => !COUNTRIES.has(pair) && !COUNTRY_FORMS.includes(pair))
    .map((pair, index): BadInput => {
      const kind = KINDS[index % KINDS.length] ?? "payment";
      const expect = judgeParameter(kind, "country", [pair]);
      if (!expect) throw new Error(`${pair} is a country`);
      return { name: `country ${pair} does not exist`, method: "GET", path: `${LISTS[kind]}?country=${pair}`, expect };
    });
}

export function codeCases(): BadInput[] {
  return [
    ...IN_BODIES.flatMap(([fields, values]) =>
      values.map((value, index) => {
        const [operation, path] = fields[index % fields.length] ?? ["payment", "currency"];
        return fieldCase(`${operation}: ${path} ${JSON.stringify(value)}`, operation, path, value);
      }),
    ),
    ...SOURCES.map((value) => fieldCase(`source in ${JSON.stringify(value)}`, "topup", "source.currency", value)),
    ...NETWORKS.map((value) => fieldCase(`network ${JSON.stringify(value)}`, "topup", "source.network", value)),
    ...PROVIDERS.map((value) => fieldCase(`provider ${JSON.stringify(value)}`, "topup", "source.provider", value)),
    ...["bank_transfer", "manual", "card", "PROVIDER_GATEWAY", "provider-gateway", "Provider_Gateway"].map((value) =>
      fieldCase(`source type ${JSON.stringify(value)}`, "topup", "source.type", value),
    ),
    ...["iban", "card", "BANK_ACCOUNT", "bank-account", "bank_account ", "wallet"].map((value) =>
      fieldCase(`recipient type ${JSON.stringify(value)}`, "payout", "recipient.type", value),
    ),
    ...mismatches().filter((one) => one !== null),
    ...inLists("currency", CURRENCIES, KINDS),
    ...inLists("country", COUNTRY_FORMS, KINDS),
    ...inLists("payment_method", METHODS, ["payment"]),
    ...unassignedCountries(),
  ];
}
