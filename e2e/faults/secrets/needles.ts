// Finds any of many secrets in a stream of bytes in one pass: as plain text, in hex and in base64.

/** Every form is looked for by so many of its characters, which no other text has by chance. */
const WINDOW = 16;
/** The part of a secret that must not appear. The last four characters of an account number may be shown. */
export const SECRET_CHARACTERS = 16;

const FACTOR = 0x01000193;
const SLOTS = 1 << 24;

export const FORMS = ["plain", "hex", "base64"] as const;
export type Form = (typeof FORMS)[number];

export interface Needle {
  /** What the secret is. It names a hit, so it is not the secret. */
  readonly name: string;
  readonly form: Form;
}

export interface Needles {
  /** How many secrets it looks for. */
  readonly count: number;
  /** Adds a secret of at least 16 characters of ASCII, in all forms. Throws for a shorter one. */
  add(name: string, secret: string): void;
  /** Starts a search of one text, which is then passed in pieces. Calls `onHit` for each secret that it finds. */
  search(onHit: (needle: Needle) => void): (piece: Buffer) => void;
}

/** Base64 of a text that begins at any of the three places in a group of three bytes, without the characters it shares. */
function base64Forms(secret: string): string[] {
  const encodings = ["base64", "base64url"] as const;
  return encodings.flatMap((encoding) =>
    [0, 1, 2].map((before) => {
      const text = Buffer.from("\0".repeat(before) + secret).toString(encoding);
      const first = before === 0 ? 0 : before + 1;
      return text.slice(first, first + WINDOW);
    }),
  );
}

function formsOf(secret: string): readonly (readonly [Form, string])[] {
  const hex = Buffer.from(secret).toString("hex").slice(0, WINDOW);
  return [
    ["plain", secret.slice(0, WINDOW)],
    ["hex", hex],
    ["hex", hex.toUpperCase()],
    ...base64Forms(secret).map((text) => ["base64", text] as const),
  ];
}

const slotOf = (hash: number) => (hash ^ (hash >>> 13)) & (SLOTS - 1);

function hashOf(text: string): number {
  let hash = 0;
  for (let n = 0; n < WINDOW; n += 1) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(n)) | 0;
  return hash;
}

/** What the first character of a window adds to its hash. */
const LEAVING = (() => {
  let power = 1;
  for (let n = 1; n < WINDOW; n += 1) power = Math.imul(power, FACTOR);
  return power;
})();

/** Returns an empty set of secrets. */
export function createNeedles(): Needles {
  const needles = new Map<string, Needle>();
  // A rolling hash finds the few places where a needle may be; only they are compared.
  const slots = new Uint8Array(SLOTS);
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(name, secret) {
      if (secret.length < SECRET_CHARACTERS) throw new RangeError(`${name} is too short to be looked for`);
      count += 1;
      for (const [form, text] of formsOf(secret.slice(0, SECRET_CHARACTERS))) {
        needles.set(text, { name, form });
        slots[slotOf(hashOf(text))] = 1;
      }
    },
    search(onHit) {
      let tail: Buffer = Buffer.alloc(0);
      return (piece) => {
        const bytes = Buffer.concat([tail, piece]);
        let hash = 0;
        for (let n = 0; n < bytes.length; n += 1) {
          const leaving = n < WINDOW ? 0 : Math.imul(bytes[n - WINDOW] as number, LEAVING);
          hash = (Math.imul(hash - leaving, FACTOR) + (bytes[n] as number)) | 0;
          if (n < WINDOW - 1 || slots[slotOf(hash)] === 0) continue;
          const needle = needles.get(bytes.toString("latin1", n - WINDOW + 1, n + 1));
          if (needle) onHit(needle);
        }
        tail = bytes.subarray(Math.max(0, bytes.length - WINDOW + 1));
      };
    },
  };
}
