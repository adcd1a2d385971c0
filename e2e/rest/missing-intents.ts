// Absent, foreign and malformed ids get the same 404, for every kind of intent.
import type { Api } from "../support/api";
import { createPayment, createPayout, createTopup, refusalOf } from "./calls";
import { expect, test } from "./parties";

const ABSENT = "01h455vb4pex5vsknk084sn02q";
const PREFIXES: Readonly<Record<string, string>> = {
  "/payment_intents": "dord",
  "/payout_intents": "word",
  "/topup_intents": "tuin",
};

/** Declares the 404 group of the read operation at `path`; `create` creates an intent of its kind. */
export function describeMissingIntents(path: string, create: (api: Api) => Promise<{ readonly id: string }>): void {
  const prefix = PREFIXES[path] ?? "";

  test.describe("404", () => {
    test("intents of another merchant and of another environment are not found", async ({
      api,
      liveApi,
      strangerApi,
    }) => {
      const { id } = await create(api);
      const unknown = await api.get(`${path}/${prefix}_${ABSENT}`);
      const foreign = await strangerApi.get(`${path}/${id}`);
      const otherEnvironment = await liveApi.get(`${path}/${id}`);
      expect(refusalOf(unknown, 404).code).toBe("not_found");
      expect(foreign.status).toBe(404);
      expect(otherEnvironment.status).toBe(404);
      expect(new Set([unknown.text, foreign.text, otherEnvironment.text]).size).toBe(1);
    });

    test("an id of another kind, a malformed id and an unknown route get the same bytes", async ({ api }) => {
      const others = [await createPayment(api), await createPayout(api), await createTopup(api)];
      const ids = [
        ...others.filter(({ id }) => !id.startsWith(prefix)).map(({ id }) => id),
        `${prefix}_`,
        `${prefix}_${ABSENT}x`,
        `${prefix}_${ABSENT.toUpperCase()}`,
        ABSENT,
        "%2e%2e%2f",
        "%00",
        "null",
        "x".repeat(500),
      ];
      const answers = await Promise.all(ids.map((id) => api.get(`${path}/${id}`)));
      const unknownRoute = await api.get("/no_such_route");
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(answer.text).toBe(unknownRoute.text);
      }
    });
  });
}
