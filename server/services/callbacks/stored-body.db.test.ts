// A callback is stored for good: without the payer's data where its provider sends some, and still under its digest.
import { afterAll, expect, it } from "vitest";
import { signed } from "@/e2e/support/fake-dlocal/signature";
import { disconnect, query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { OWNER } from "@/server/psp/dlocal/testing/entry";
import { configureGateways } from "@/server/psp/registry";
import { applyDueCallbacks, receiveCallback } from "./receive-callback";

const DOCUMENT = "53033315550";

afterAll(async () => {
  configureGateways(null);
  await disconnect();
});

it("a notification of dLocal is verified as it arrives and stored without its payer, once", async () => {
  const keys = { account: OWNER.login, trans_key: OWNER.transKey, secret_key: OWNER.secretKey };
  const offers = { environments: ["test"], payment_methods: "all", url: "http://127.0.0.1:9" };
  configureGateways(JSON.stringify([{ name: "dlocal", type: "dlocal", ...keys, ...offers }]));
  const reference = newId("paymentIntent");
  const payer = { name: "Ada Obi", email: "ada@example.com", document: DOCUMENT };
  const body = JSON.stringify({ id: `D-${reference}`, status: "PAID", order_id: reference, payer });
  for (const date of ["2026-11-26T09:00:00.000Z", "2026-11-26T09:05:00.000Z"]) {
    const headers = new Headers({ "x-date": date, authorization: signed(OWNER, date, body) });
    await receiveCallback("dlocal", headers, body);
  }
  const stored = () =>
    query<{ body: string; result: string | null; attempts: number }>(
      "SELECT body, result, attempts FROM provider_callback WHERE provider = 'dlocal' AND body LIKE $1",
      `%${reference}%`,
    );
  expect(await stored()).toMatchObject([{ attempts: 0 }]);
  await applyDueCallbacks(100, 60_000);
  const [row] = await stored();
  // Its reference is unknown, so it is tried again: its digest was right.
  expect(row).toMatchObject({ result: null, attempts: 1 });
  for (const personal of [DOCUMENT, "Ada", "ada@example.com"]) expect(row?.body).not.toContain(personal);
});
