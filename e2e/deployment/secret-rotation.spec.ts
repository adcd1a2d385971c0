// The drill of docs/operating.md#secrets: two services over one database rotate their secret, one after the other, under load.
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { paymentBody, unused } from "../rest/bodies";
import { openBridge } from "../rest/bridge";
import { createPayout, untilStatus } from "../rest/calls";
import { createEndpoint, endedPayment } from "../rest/webhook-calls";
import { type Answer, type Api, createApi, fetchValidator } from "../support/api";
import { cliWith } from "../support/cli";
import { expect, test } from "../support/fixtures";
import { startPostgres } from "../support/postgres/server";
import { startReceiver } from "../support/receiver";
import { freePort, type Service, startService } from "../support/service";
import { tier } from "../support/tier";

const newKey = () => randomBytes(32).toString("base64");

interface Status {
  readonly data: readonly { readonly column: string; readonly key_id: string; readonly ends_by: string }[];
  readonly old_keys: readonly { readonly key_id: string }[];
}

/** Sends to the services in turn, as a balancer does: a connection that breaks goes to the other one. */
function balanced(apis: readonly Api[]) {
  let turn = 0;
  return async (body: object, key: string): Promise<Answer | null> => {
    for (let attempt = 0; attempt < apis.length; attempt += 1) {
      turn += 1;
      const api = apis[turn % apis.length];
      const answer = await api
        ?.post("/payment_intents", body, { headers: { "idempotency-key": key } })
        .catch(() => null);
      if (answer && answer.status !== 503) return answer;
    }
    return null;
  };
}

// Ten starts of a service.
if (tier === "deep")
  test("a secret is rotated under load: no request fails, answers repeat, and no rewrapped value needs the old one", async () => {
    test.setTimeout(900_000);
    const folder = mkdtempSync(join(tmpdir(), "sluice-rotation-"));
    chmodSync(folder, 0o711);
    const server = await startPostgres(join(folder, "server"), await freePort());
    const [old, fresh] = [newKey(), newKey()];
    const database = { DATABASE_URL: server.url, SLUICE_SECRETS: old, REFERENCE_KEY: newKey() };
    const bridge = await openBridge({ database });
    const receiver = await startReceiver();
    const first = bridge.world.service;
    const second = await startService({ database, env: { PROVIDERS: first.variables.PROVIDERS ?? "" } });
    try {
      const { keys, id: merchant } = bridge.merchant;
      const person = ["--merchant", merchant, "--email", "ana@example.com", "--roles", "approver"];
      await cliWith(first.variables, "members", "create", ...person);
      const api = bridge.world.apiFor(keys.test);
      const { secret } = await createEndpoint(api, receiver.url);
      const payout = await createPayout(bridge.live, { amount: "300" });

      const validate = await fetchValidator(first.baseUrl);
      const send = balanced([first, second].map(({ baseUrl }) => createApi(baseUrl, keys.test, validate)));
      const sent: { readonly body: object; readonly key: string; readonly text: string | undefined }[] = [];
      let isOver = false;
      const load = (async () => {
        while (!isOver) {
          const [body, key] = [paymentBody(), unused("key")];
          const answer = await send(body, key);
          sent.push({ body, key, text: answer?.status === 201 ? answer.text : undefined });
        }
      })();
      for (const secrets of [`${old},${fresh}`, `${fresh},${old}`])
        for (const service of [second, first] satisfies Service[]) await service.restart({ SLUICE_SECRETS: secrets });
      isOver = true;
      await load;

      expect(sent.length).toBeGreaterThan(10);
      expect(sent.filter(({ text }) => text === undefined)).toEqual([]);
      for (const { body, key, text } of [...sent.slice(0, 3), ...sent.slice(-3)])
        expect((await send(body, key))?.text).toBe(text);

      await cliWith(first.variables, "secrets", "rewrap");
      const status = await cliWith<Status>(first.variables, "secrets", "status");
      expect(status.old_keys).toHaveLength(1);
      const byOld = status.data.filter(({ key_id }) => key_id === status.old_keys[0]?.key_id);
      expect(byOld.length).toBeGreaterThan(0);
      expect(byOld.filter(({ ends_by }) => ends_by === "rewrap")).toEqual([]);

      await cliWith(first.variables, "payouts", "approve", "--id", payout.id, "--as", "ana@example.com");
      await untilStatus<PayoutIntentResource>(bridge.live, payout.id, ["succeeded"]);
      const before = receiver.received.length;
      await endedPayment(api);
      await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
      const last = receiver.received.at(-1);
      expect(() => new Webhook(secret).verify(last?.body ?? "", last?.headers ?? {})).not.toThrow();
      expect(await cliWith(first.variables, "invariants")).toMatchObject({ violations: 0 });
      expect(await cliWith(first.variables, "audit", "verify")).toMatchObject({ broken: 0 });
    } finally {
      await second.dispose();
      await receiver.stop();
      await bridge.close();
      await server.stop("fast");
      rmSync(folder, { recursive: true, force: true });
    }
  });
