// The command is run by a real shell, against a receiver that verifies the signature.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { newWebhookSecret } from "@/server/receivers/signature";
import { curlText } from "./curl-text";

const run = promisify(execFile);

let receiver: LocalServer;
beforeAll(async () => {
  receiver = await startLocalServer();
  receiver.respond = json(200, {});
});
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.received.length = 0;
});

const EVENT = "evt_01h455vb4pex5vsknk084sn02q";

it.each([
  ["an ordinary message", '{"id":"evt_1","data":{"failure_message":null}}'],
  ["quotes, dollars, backslashes and line breaks", String.raw`{"a":"it's \"$HOME\" $(touch x) \n \\ %s !"}`],
  ["other scripts", '{"name":"Conceição 東京"}'],
])("sends %s again, with a signature that verifies", async (_, body) => {
  const secret = newWebhookSecret();
  const command = curlText({ url: `${receiver.url}/hooks?a=1&b='2'`, eventId: EVENT, body });
  expect(command).not.toContain(secret);
  await run("sh", ["-c", command], { env: { ...process.env, SLUICE_WEBHOOK_SECRET: secret } });
  const [got, ...others] = receiver.received;
  expect(others).toEqual([]);
  expect([got?.method, got?.body, got?.headers.get("webhook-id")]).toEqual(["POST", body, EVENT]);
  const headers = Object.fromEntries(got?.headers.entries() ?? []);
  expect(new Webhook(secret).verify(got?.body ?? "", headers)).toEqual(JSON.parse(body));
});

it("runs nothing that an address contains", async () => {
  const url = `${receiver.url}/'; echo injected; '`;
  const { stdout } = await run("sh", ["-c", curlText({ url, eventId: EVENT, body: "{}" })], {
    env: { ...process.env, SLUICE_WEBHOOK_SECRET: newWebhookSecret() },
  }).catch((error: { stdout: string }) => error);
  expect(stdout).not.toContain("injected");
});
