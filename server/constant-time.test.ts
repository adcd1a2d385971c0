// Whoever presents a signature or a token learns nothing from the time of the answer: each verifier compares all bytes of it
// with all bytes of the right one, also if the first one differs.
import { createHmac, timingSafeEqual } from "node:crypto";
import { readdirSync } from "node:fs";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { verifyWebhook } from "@/client/src/webhooks";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import { collectMetricsBy, metricsAnswer } from "@/server/http/metrics";
import { digestMatches, equalTexts, keyedDigest, sha256Hex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { createBtcpayReceiver } from "@/server/psp/btcpay/callbacks";
import { createDlocalReceiver } from "@/server/psp/dlocal/callbacks";
import { authorizationOf } from "@/server/psp/dlocal/signature";
import type { CallbackReceiver } from "@/server/psp/gateway";
import { isSigned, signedHeaders } from "@/server/psp/http/signature";
import { createPaystackReceiver } from "@/server/psp/paystack/callbacks";
import { createStripeReceiver } from "@/server/psp/stripe/callbacks";
import { createXenditReceiver } from "@/server/psp/xendit/callbacks";

vi.mock("node:crypto", async (load) => {
  const original = await load<{ timingSafeEqual: typeof timingSafeEqual }>();
  const observed = vi.fn<typeof timingSafeEqual>(original.timingSafeEqual);
  return { ...original, timingSafeEqual: observed, default: { ...original, timingSafeEqual: observed } };
});

const SECRET = "a secret of at least thirty-two characters";
const TOKEN = "0123456789abcdef0123456789abcdef";
const BODY = '{"id":"1"}';
const NOW = new Date();
const SECONDS = Math.floor(NOW.getTime() / 1_000).toString();
const SCOPE = { merchantId: "mer_01h455vb4pex5vsknk084sn02q", environment: "test" } as const;
const POSITION = { createdAt: NOW, id: "word_01h455vb4pex5vsknk084sn02q" };
const LIST = "/payout_intents";
const MESSAGE = { method: "POST", path: "/providers/acme/callbacks", body: BODY };
const sign = (algorithm: string, text: string) => createHmac(algorithm, SECRET).update(text).digest("hex");

interface Verifier {
  /** What a stranger would have to guess. */
  readonly right: string;
  /** True if it is accepted. */
  verify(given: string): boolean | Promise<boolean>;
  /** What is compared of it, if not the text itself. */
  readonly compared?: (given: string) => string | Buffer;
}

/** A provider's webhook, with its proof in one header. */
function receiver(by: CallbackReceiver, header: string, right: string, further: Record<string, string> = {}): Verifier {
  const verify = (given: string) => by.verifyCallback(new Headers({ ...further, [header]: given }), BODY, NOW) !== null;
  return { right, verify };
}

const bridge = signedHeaders(SECRET, MESSAGE, NOW);
const date = NOW.toISOString();
const signer = { login: "login", secretKey: SECRET };

/** By the folder of the adapter. */
const RECEIVERS: Readonly<Record<string, () => Verifier>> = {
  btcpay: () =>
    receiver(
      createBtcpayReceiver({ webhook_secrets: [SECRET], account: "s" }),
      "btcpay-sig",
      `sha256=${sign("sha256", BODY)}`,
    ),
  dlocal: () =>
    receiver(
      createDlocalReceiver({ account: "login", secret_key: SECRET, webhook_secrets: [] }),
      "authorization",
      authorizationOf(signer, date, BODY),
      { "x-date": date },
    ),
  http: () => ({
    right: bridge["Sluice-Signature"] ?? "",
    verify: (given) => isSigned(SECRET, MESSAGE, new Headers({ ...bridge, "Sluice-Signature": given }), NOW),
  }),
  paystack: () =>
    receiver(
      createPaystackReceiver({ secret_key: SECRET } as Parameters<typeof createPaystackReceiver>[0]),
      "x-paystack-signature",
      sign("sha512", BODY),
    ),
  stripe: () => {
    const by = createStripeReceiver({ webhook_secrets: [SECRET] });
    const header = (given: string) => new Headers({ "stripe-signature": `t=${SECONDS},v1=${given}` });
    return {
      right: sign("sha256", `${SECONDS}.${BODY}`),
      verify: (given) => by.verifyCallback(header(given), BODY, NOW) !== null,
    };
  },
  xendit: () => receiver(createXenditReceiver({ account: "b", webhook_tokens: [TOKEN] }), "x-callback-token", TOKEN),
};

const OTHERS: Readonly<Record<string, () => Verifier>> = {
  "two texts": () => ({ right: TOKEN, verify: (given) => equalTexts(TOKEN, given) }),
  "a cursor": () => {
    const [milliseconds, id, mac = ""] = Buffer.from(encodeCursor(SCOPE, LIST, POSITION), "base64url")
      .toString()
      .split(".");
    return {
      right: mac,
      verify: (given) => isCursor(Buffer.from(`${milliseconds}.${id}.${given}`).toString("base64url")),
    };
  },
  "a digest": () => {
    const digest = keyedDigest(keyRing(), "account-digest", "0001");
    const [id, hex = ""] = digest.split(".");
    return { right: hex, verify: (given) => digestMatches(keyRing(), "account-digest", `${id}.${given}`, "0001") };
  },
  "the token of the metrics": () => ({
    right: TOKEN,
    compared: sha256Hex,
    async verify(given) {
      const headers = new Headers({ authorization: `Bearer ${given}` });
      const peer = { address: "192.0.2.1", duplicateHeaders: [] };
      const request = { method: "GET", target: "/metrics", headers, peer, readBody: async () => new Uint8Array() };
      return (await metricsAnswer(request, "req_1")).status === 200;
    },
  }),
  "a webhook of ours, in the client": () => {
    const key = Buffer.from(TOKEN).toString("base64");
    const headers = { "webhook-id": "evt_1", "webhook-timestamp": SECONDS };
    return {
      right: createHmac("sha256", Buffer.from(TOKEN)).update(`evt_1.${SECONDS}.${BODY}`).digest("base64"),
      compared: (given) => Buffer.from(given, "base64"),
      verify(given) {
        try {
          return Boolean(verifyWebhook(`whsec_${key}`, { ...headers, "webhook-signature": `v1,${given}` }, BODY));
        } catch {
          return false;
        }
      },
    };
  },
};

function isCursor(cursor: string): boolean {
  try {
    return decodeCursor(SCOPE, LIST, cursor).id === POSITION.id;
  } catch {
    return false;
  }
}

const compared = vi.mocked(timingSafeEqual);
const shared = globalThis as { sluiceEnv?: unknown; sluiceKeyRing?: unknown; sluiceBuckets?: unknown };

beforeEach(() => {
  vi.stubEnv("LOG_LEVEL", "silent");
  vi.stubEnv("METRICS_TOKEN", TOKEN);
  vi.stubEnv("SLUICE_SECRETS", Buffer.alloc(32, 1).toString("base64"));
  for (const name of ["sluiceEnv", "sluiceKeyRing", "sluiceBuckets"] as const) delete shared[name];
  collectMetricsBy(async () => "");
  compared.mockClear();
});
afterEach(() => vi.unstubAllEnvs());

/** The same text with another character at that place. */
const changedAt = (text: string, at: number) =>
  `${text.slice(0, at)}${text[at] === "0" ? "1" : "0"}${text.slice(at + 1)}`;

/** The pairs of bytes that were compared to their end. */
const pairs = () => compared.mock.calls.map((pair) => pair.map((bytes) => Buffer.from(bytes as Uint8Array)));

describe.each(Object.entries({ ...RECEIVERS, ...OTHERS }))("%s", (_name, make) => {
  it("accepts the right one", async () => {
    const { right, verify } = make();
    expect(await verify(right)).toBe(true);
  });

  it.each(["first", "last"] as const)("compares all of one whose %s character is wrong", async (which) => {
    const { right, verify, compared: form = (given: string) => given } = make();
    // Base64 ends with characters that are no bytes.
    const wrong = changedAt(right, which === "first" ? 0 : right.length - 4);
    compared.mockClear();
    expect(await verify(wrong)).toBe(false);
    const expected = [right, wrong].map((text) => Buffer.from(form(text)).toString("hex")).toSorted();
    expect(pairs().map((pair) => pair.map((bytes) => bytes.toString("hex")).toSorted())).toContainEqual(expected);
  });
});

it("each adapter that receives callbacks is in the list", () => {
  const root = fileURLToPath(new URL("psp", import.meta.url));
  const folders = readdirSync(root, { recursive: true, encoding: "utf8" }).flatMap((path) => {
    const [folder = "", file] = path.split(sep);
    return file === "callbacks.ts" ? [folder] : [];
  });
  expect(folders.toSorted()).toEqual(Object.keys(RECEIVERS));
});
