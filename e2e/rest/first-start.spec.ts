// The first start of a service on an empty database: from its first request on, it must be guarded as after any other start.
import { createApi, fetchValidator } from "../support/api";
import { expect, test } from "../support/fixtures";
import { createMerchant } from "../support/merchant";
import { openDatabase } from "./database";

for (const [title, env] of [
  ["one web process", {}],
  ["two web processes", { WEB_CONCURRENCY: "2" }],
] as const) {
  test(`with ${title}, row-level security binds requests from the first start on`, async ({ startOwnService }) => {
    test.setTimeout(120_000);
    const service = await startOwnService({ env });
    expect(service.logs).not.toContain("row-level security is off");
    const { keys } = await createMerchant(service);
    const api = createApi(service.baseUrl, keys.test, await fetchValidator(service.baseUrl));
    expect((await api.get("/wallets")).status).toBe(200);
    const database = await openDatabase(service.dataDir);
    try {
      // Only statements of the restricted role need the right.
      await database.query("REVOKE SELECT ON ledger_account FROM sluice_app");
      for (let call = 0; call < 6; call += 1) expect((await api.get("/wallets")).status).toBe(500);
      await database.query("GRANT SELECT ON ledger_account TO sluice_app");
      expect((await api.get("/wallets")).status).toBe(200);
    } finally {
      await database.close();
    }
  });
}
