// Replaces what differs between two equal runs, so that their answers can be compared byte for byte.

interface Volatile {
  readonly name: string;
  readonly pattern: RegExp;
  /** True if equal values get equal, numbered placeholders, and different values different ones. */
  readonly isNumbered: boolean;
}

/** Only the part that differs is replaced. In order: a later pattern reads the text that earlier ones left. */
const VOLATILE: readonly Volatile[] = [
  { name: "origin", pattern: /http:\/\/localhost:\d+/g, isNumbered: false },
  // Equal times depend on the machine's speed. In a path a time is percent-encoded, and its offset may follow a space.
  {
    name: "date",
    pattern: /\b\d{4}-\d\d-\d\dT(?:[\d:.]|%3A)+(?:Z|(?:[+ ]|%2B|%20)\d\d(?::|%3A)\d\d)/g,
    isNumbered: false,
  },
  {
    name: "uuid",
    pattern: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/gi,
    isNumbered: true,
  },
  { name: "id", pattern: /(?<=\b[a-z]{2,6}_(?:test_|live_)?)[0-9a-hjkmnp-tv-z]{26}\b/g, isNumbered: true },
  { name: "secret", pattern: /(?<=\bwhsec_)[A-Za-z0-9+/]{43}=/g, isNumbered: true },
  // Instructions of the sandbox: its references, virtual accounts and wallet addresses.
  { name: "instruction", pattern: /(?<=\bSBX)[0-9A-F]{10}\b/g, isNumbered: true },
  { name: "account", pattern: /\b\d{18}\b/g, isNumbered: true },
  { name: "address", pattern: /(?<=\bT)[1-9A-HJ-NP-Za-km-z]{33}\b/g, isNumbered: true },
  // Cursors and the keys of payer pages.
  { name: "token", pattern: /[A-Za-z0-9_-]{40,}={0,2}/g, isNumbered: true },
];

/** A function that normalizes the texts of one test in turn: it numbers values by their first appearance. */
export function createNormalizer(): (text: string) => string {
  const seen = new Map<string, Map<string, number>>();
  const numberOf = (name: string, value: string) => {
    const numbers = seen.get(name) ?? new Map<string, number>();
    seen.set(name, numbers);
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return numbers.get(value);
  };
  return (text) =>
    VOLATILE.reduce(
      (current, { name, pattern, isNumbered }) =>
        current.replace(pattern, (value) => (isNumbered ? `<${name} ${numberOf(name, value)}>` : `<${name}>`)),
      text,
    );
}
