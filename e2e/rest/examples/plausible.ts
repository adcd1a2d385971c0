// Makes an example of an answer: what differs from run to run becomes a plausible value, the same in every run.
import { createNormalizer } from "../../support/normalized-text";

/** Items shown of a list. */
const SHOWN = 2;

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

const PLAUSIBLE: Readonly<Record<string, (n: number) => string>> = {
  origin: () => "https://pay.example",
  date: () => "2026-11-21T09:30:00.000Z",
  uuid: (n) => `6a1f0c3e-5b7d-4e2a-9c48-${String(n).padStart(12, "0")}`,
  id: (n) => `01h455vb4pex5vsknk084sn02${DIGITS[n % DIGITS.length]}`,
  secret: () => "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  instruction: (n) => `1A2B3C4D${String(n).padStart(2, "0")}`,
  account: (n) => String(646_180_111_800_000_000n + BigInt(n)),
  address: (n) => `TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeB${DIGITS[(n % 9) + 1]}`,
  token: (n) => `cursor-or-key-${n}`,
};

/** Values of members that depend on more than the request. */
const MEMBERS: Readonly<Record<string, unknown>> = {
  duration_ms: 42,
  expires_at: "2026-11-21T10:00:00.000Z",
  "webhook-timestamp": "1795253400",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

/** The check digits of a Brazilian code depend on its reference. */
const CHECK_DIGITS = /(?<=6304)[0-9A-F]{4}$/;

function shown(value: unknown, name = ""): unknown {
  if (value !== null && name in MEMBERS) return MEMBERS[name];
  if (typeof value === "string") return value.replace(CHECK_DIGITS, "1D3D");
  if (Array.isArray(value)) return value.slice(0, SHOWN).map((item) => shown(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shown(member, key)]));
}

const ID = /\b([a-z]{2,6}_)([0-9a-hjkmnp-tv-z]{26})\b/g;

/** A function for the answers of one run, in turn. `receiver` is the origin of the webhook receiver. */
export function createExamples(receiver: string): (text: string) => unknown {
  const normalize = createNormalizer();
  const ids: string[] = [];
  // A delivery's id can be that of its event, apart from the prefix: the whole id is numbered.
  const numberOf = (prefix: string, id: string) => {
    if (!ids.includes(prefix + id)) ids.push(prefix + id);
    return `${prefix}<id ${ids.indexOf(prefix + id) + 1}>`;
  };
  return (text) => {
    const own = text
      .replaceAll(receiver, "https://shop.example")
      .replace(ID, (_, prefix: string, id: string) => numberOf(prefix, id));
    const numbered = normalize(own);
    const plausible = numbered.replace(/<([a-z]+)(?: (\d+))?>/g, (placeholder, name: string, n = "0") =>
      PLAUSIBLE[name] ? PLAUSIBLE[name](Number(n)) : placeholder,
    );
    return shown(JSON.parse(plausible));
  };
}
