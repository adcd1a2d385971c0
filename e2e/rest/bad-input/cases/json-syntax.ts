// Cases of JSON syntax: texts that are not JSON, or JSON that two parsers could interpret differently.
import { BODIES, headersOf, PATHS } from "../bodies";
import { invalid, type Operation } from "../oracle";
import type { BadInput } from "../table";

function refused(name: string, operation: Operation, body: string): BadInput {
  return { name, method: "POST", path: PATHS[operation], ...headersOf(operation), body, expect: invalid("body") };
}

/** The text truncated before each `step`-th character. Empty text is a case of other rules. */
function truncations(operation: Operation, text: string, step: number): BadInput[] {
  const cuts = Array.from({ length: text.length - 1 }, (_, index) => index + 1).filter((cut) => cut % step === 0);
  return cuts.map((cut) => refused(`${operation} cut off after ${cut} characters`, operation, text.slice(0, cut)));
}

const REST = '"currency":"BRL","country":"BR","payment_method":"BR_PIX","merchant_reference":"order-1"';
const withAmount = (literal: string) => `{"amount":${literal},${REST}}`;
const GOOD = withAmount('"1050"');

const BROKEN: Readonly<Record<string, string>> = {
  "white space alone": " \n\t ",
  "a trailing comma": GOOD.replace("}", ",}"),
  "two trailing commas": GOOD.replace("}", ",,}"),
  "a leading comma": GOOD.replace("{", "{,"),
  "a comma missing": GOOD.replace(",", " "),
  "a colon missing": GOOD.replace(":", " "),
  "two colons": GOOD.replace(":", "::"),
  "an equals sign for a colon": GOOD.replace(":", "="),
  "a semicolon for a comma": GOOD.replace(",", ";"),
  "single quotes": GOOD.replaceAll('"', "'"),
  "typographic quotes": GOOD.replace('"amount"', "\u201camount\u201d"),
  "a key without quotes": GOOD.replace('"amount"', "amount"),
  "a value without quotes": withAmount("BRL"),
  "a key that is a number": GOOD.replace('"amount"', "1"),
  "a key that is null": GOOD.replace('"amount"', "null"),
  "an opening quote missing": GOOD.replace('"amount', "amount"),
  "a closing quote missing": GOOD.replace('amount"', "amount"),
  "a member without a value": withAmount(""),
  "a line comment": `// order\n${GOOD}`,
  "a block comment": GOOD.replace("{", "{/* order */"),
  "a hash comment": `# order\n${GOOD}`,
  "an HTML comment": `<!-- order -->${GOOD}`,
  "an anti-hijacking prefix": `)]}',\n${GOOD}`,
  "a callback around it": `callback(${GOOD})`,
  "two documents": `${GOOD}${GOOD}`,
  "two documents on two lines": `${GOOD}\n{}`,
  "text after the document": `${GOOD} x`,
  "a closing brace too many": `${GOOD}}`,
  "an opening brace too many": `{${GOOD}`,
  "brackets crossed": '{"customer":[}]',
  "brackets for braces": `[${REST}]`,
  "a bare word": "amount",
  "a bare minus": "-",
  undefined: "undefined",
  "an XML document": "<payment><amount>1050</amount></payment>",
  "a YAML document": "amount: '1050'\ncurrency: BRL",
  "a form": "amount=1050&currency=BRL",
  "a byte order mark": `\ufeff${GOOD}`,
  "a byte order mark within": GOOD.replace("{", "{\ufeff"),
  "a no-break space": GOOD.replace(":", ":\u00a0"),
  "a zero-width space": GOOD.replace(":", ":\u200b"),
  "a line separator as white space": GOOD.replace(":", ":\u2028"),
  "a form feed as white space": GOOD.replace(":", ":\f"),
  "a vertical tab as white space": GOOD.replace(":", ":\v"),
  "a NUL after the document": `${GOOD}\0`,
  "a tab in a string": withAmount('"10\t50"'),
  "a line feed in a string": withAmount('"10\n50"'),
  "a carriage return in a string": withAmount('"10\r50"'),
  "a NUL in a string": withAmount('"10\u000050"'),
  "an escape character in a string": withAmount('"10\u001b50"'),
  "an unknown escape": withAmount('"10\\x50"'),
  "an escaped line end": withAmount('"10\\\n50"'),
  "an octal escape": withAmount('"10\\05"'),
  "a braced unicode escape": withAmount('"\\u{31}"'),
  "a unicode escape too short": withAmount('"\\u003"'),
  "a unicode escape of no digits": withAmount('"\\uzzzz"'),
  "a lone backslash": withAmount('"\\"'),
  "a number with a leading zero": withAmount("01050"),
  "a number with a leading plus": withAmount("+1050"),
  "a number with a leading dot": withAmount(".5"),
  "a number with a trailing dot": withAmount("1050."),
  "a number with two dots": withAmount("1.0.5"),
  "a number with an empty exponent": withAmount("1e"),
  "a number with a signed empty exponent": withAmount("1e+"),
  "a hexadecimal number": withAmount("0x41a"),
  "an octal number": withAmount("0o17"),
  "a number with underscores": withAmount("1_050"),
  "a bigint literal": withAmount("1050n"),
  "two minus signs": withAmount("--1"),
  "full-width digits": withAmount("\uff11\uff12"),
  NaN: withAmount("NaN"),
  Infinity: withAmount("Infinity"),
  "minus Infinity": withAmount("-Infinity"),
  "True in capitals": withAmount("True"),
  "None of another language": withAmount("None"),
  nil: withAmount("nil"),
  "half of true": withAmount("tru"),
  "true and more": withAmount("truex"),
  "a date constructor": withAmount("new Date(0)"),
  "a function": withAmount("function(){}"),
  "a template literal": withAmount("`1050`"),
  "a regular expression": withAmount("/1/"),
  "a concatenation": withAmount('"10"+"50"'),
  "two values side by side": withAmount('"10" "50"'),
  "a spread": GOOD.replace("{", "{...{},"),
};

const DUPLICATES: readonly (readonly [name: string, operation: Operation, text: string])[] = [
  ...Object.entries(BODIES.payment).map(
    ([key, value]) => [key, "payment", `{"${key}":"${value}",${GOOD.slice(1)}`] as const,
  ),
  ["amount with another value", "payment", `{"amount":"1",${GOOD.slice(1)}`],
  ["amount first null", "payment", `{"amount":null,${GOOD.slice(1)}`],
  ["amount spelled by escapes", "payment", `{"\\u0061mount":"1",${GOOD.slice(1)}`],
  ["customer", "payment", `{"customer":{},"customer":{},${GOOD.slice(1)}`],
  ["customer.name", "payment", `{"customer":{"name":"a","name":"b"},${GOOD.slice(1)}`],
  ["an unknown member", "payment", `{"x":1,"x":1,${GOOD.slice(1)}`],
  ["an unknown member deep inside", "payment", `{"x":[{"y":{"z":1,"z":2}}],${GOOD.slice(1)}`],
  ["__proto__", "payment", `{"__proto__":{},"__proto__":{},${GOOD.slice(1)}`],
  ["constructor", "payment", `{"constructor":1,"constructor":2,${GOOD.slice(1)}`],
  ["the empty key", "payment", `{"":1,"":2,${GOOD.slice(1)}`],
  ["a key beyond the first plane", "payment", `{"\u{1f600}":1,"\\ud83d\\ude00":2,${GOOD.slice(1)}`],
  ["three times", "payment", `{"x":1,"x":2,"x":3,${GOOD.slice(1)}`],
  ["with white space before the colon", "payment", `{"amount" : "1","amount"\n:"2",${REST}}`],
  ["reason", "cancel", '{"reason":"a","reason":"b"}'],
  ["id", "simulate", '{"id":"a","id":"{{payment_id}}","outcome":"expired"}'],
  ["recipient.account_number", "payout", '{"recipient":{"account_number":"0001","account_number":"0002"}}'],
  ["destination.amount", "topup", '{"destination":{"amount":"1","amount":"2","currency":"BRL"}}'],
];

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const DEEP: Readonly<Record<string, string>> = {
  "objects 17 deep": `{"x":${nested('{"x":', "}", 16).replace(":}", ":1}")},${REST}}`,
  "arrays 17 deep": `{"x":${nested("[", "]", 16)},${GOOD.slice(1)}`,
  "arrays and objects 17 deep": `{"x":${nested('[{"x":', "}]", 8).replace(":}", ":1}")},${GOOD.slice(1)}`,
  "arrays 1,000 deep": `{"x":{{repeat:1000:[}}{{repeat:1000:]}},${GOOD.slice(1)}`,
  "arrays 30,000 deep": `{"x":{{repeat:30000:[}}{{repeat:30000:]}},${GOOD.slice(1)}`,
  "arrays 30,000 deep and open": "{{repeat:30000:[}}",
  "an array at the top 20 deep": nested("[", "]", 20),
};

export function jsonSyntaxCases(): BadInput[] {
  const cancel = JSON.stringify({ reason: 'late \u00e9 \\ "x"' });
  return [
    ...truncations("payment", JSON.stringify({ ...BODIES.payment, merchant_reference: "cut" }), 1),
    ...truncations("payout", JSON.stringify({ ...BODIES.payout, merchant_reference: "cut" }), 3),
    ...truncations("topup", JSON.stringify({ ...BODIES.topup, merchant_reference: "cut" }), 3),
    ...truncations("cancel", cancel, 1),
    ...Object.entries(BROKEN).map(([name, text]) => refused(name, "payment", text)),
    ...DUPLICATES.map(([name, operation, text]) => refused(`twice: ${name}`, operation, text)),
    ...Object.entries(DEEP).map(([name, text]) => refused(name, "payment", text)),
  ];
}
