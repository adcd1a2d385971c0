// The time of a rejection tells nothing about a secret key: all bytes of the stored hash are compared, whatever was presented.
import { timingSafeEqual } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import { makeMerchant } from "@/server/testing/merchant";
import { authenticate } from "./authenticate";
import { createApiKey } from "./create";
import type { CreatedKey } from "./new-key";

vi.mock("node:crypto", async (load) => {
  const original = await load<{ timingSafeEqual: typeof timingSafeEqual }>();
  const observed = vi.fn<typeof timingSafeEqual>(original.timingSafeEqual);
  return { ...original, timingSafeEqual: observed, default: { ...original, timingSafeEqual: observed } };
});

const HASH_BYTES = 64;
const compared = vi.mocked(timingSafeEqual);

let key: CreatedKey;
beforeEach(async () => {
  key = await createApiKey((await makeMerchant()).context, "Key");
  compared.mockClear();
});

/** The lengths of what was compared to its end. */
const lengths = () => compared.mock.calls.map((pair) => pair.map((bytes) => bytes.byteLength));

it("of the right secret, a wrong one, and any secret of an unknown key", async () => {
  const wrong = `${key.secretKey.slice(0, -1)}${key.secretKey.endsWith("0") ? "1" : "0"}`;
  const unknown = `${key.publicKey.slice(0, -1)}${key.publicKey.endsWith("0") ? "1" : "0"}`;
  await authenticate(key);
  await expect(authenticate({ ...key, secretKey: wrong })).rejects.toMatchObject({ code: "unauthorized" });
  await expect(authenticate({ ...key, publicKey: unknown })).rejects.toMatchObject({ code: "unauthorized" });
  expect(lengths()).toEqual(Array(3).fill([HASH_BYTES, HASH_BYTES]));
});
