// The developer's command line as its users get it: packed, installed, and run with API keys alone.
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { verifyWebhook } from "@/client/src/webhooks";
import { type ApiKey, createKey, createMerchant } from "../support/merchant";
import { type Receiver, startReceiver } from "../support/receiver";
import type { ServiceAddress } from "../support/service";
import { makeInstallation, type Running, type SluiceCommand, sluiceCommand } from "../support/sluice-command";
import { payoutBody } from "./bodies";
import { bodyOf } from "./calls";
import { test as base, expect } from "./parties";
import { createEndpoint, endedPayment, untilDelivery } from "./webhook-calls";

const test = base.extend<{ sluice: SluiceCommand; receiver: Receiver }, { installation: string }>({
  installation: [
    async ({}, use) => {
      const folder = await makeInstallation();
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
  sluice: async ({ installation }, use) => {
    const command = sluiceCommand(installation);
    await use(command);
    await command.dispose();
  },
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.stop();
  },
});

const pairOf = ({ publicKey, secretKey }: ApiKey) => `${publicKey}:${secretKey}`;
const variablesOf = ({ baseUrl }: Pick<ServiceAddress, "baseUrl">, key: ApiKey) => ({
  SLUICE_BASE_URL: baseUrl,
  SLUICE_API_KEY: pairOf(key),
});
const jsonLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const untilReady = (listening: Running) => expect.poll(() => listening.errors).toContain("Ctrl-C ends it.");

test("login checks a key, stores it for its owner alone, and never prints it", async ({
  ownMerchant,
  service,
  sluice,
}) => {
  const key = ownMerchant.keys.test;
  const file = join(sluice.home, ".config/sluice/credentials.json");
  expect(await sluice.run(["logs"])).toMatchObject({ status: 3, output: "" });

  const wrong = pairOf({ ...key, secretKey: `sk_test_${"0".repeat(43)}` });
  const words = ["login", "--url", service.baseUrl, "--key-stdin"];
  expect(await sluice.run(words, {}, wrong)).toMatchObject({ status: 3, output: "" });
  expect(await sluice.run(words, {}, "pk_test_a:sk_live_b")).toMatchObject({ status: 2, output: "" });
  expect(await sluice.run(["login"])).toMatchObject({ status: 2, output: "" });
  expect(existsSync(file)).toBe(false);

  const done = await sluice.run(words, {}, `${pairOf(key)}\n`);
  expect(done.status, done.errors).toBe(0);
  expect(done.output).toContain(`${key.publicKey} works at ${service.baseUrl} (test)`);
  expect(done.output + done.errors).not.toContain(key.secretKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    base_url: service.baseUrl,
    public_key: key.publicKey,
    secret_key: key.secretKey,
  });
  expect((await sluice.run(["events", "list"])).status).toBe(0);

  chmodSync(file, 0o644);
  expect(await sluice.run(["events", "list"])).toMatchObject({ status: 1, errors: expect.stringContaining("Others") });
  expect(await sluice.run(["logout"])).toMatchObject({ status: 0 });
  expect(existsSync(file)).toBe(false);
});

test("a limited key can log in, and the missing scope is named where it is needed", async ({
  ownMerchant,
  service,
  sluice,
}) => {
  const key = await createKey(service, ownMerchant.id, "test", "--scopes", "events:read");
  const done = await sluice.run(["login", "--url", service.baseUrl, "--key-stdin"], {}, pairOf(key));
  expect(done.status, done.errors).toBe(0);
  expect((await sluice.run(["events", "list"])).status).toBe(0);
  const refused = await sluice.run(["logs", "--json"]);
  expect(refused).toMatchObject({ status: 1, output: "" });
  expect(jsonLines(refused.errors)).toEqual([
    { error: { code: "forbidden", message: expect.stringContaining("api_logs:read"), request_id: expect.any(String) } },
  ]);
});

test("listen forwards the message of an endpoint, which a receiver verifies, and continues from a given event", async ({
  api,
  ownMerchant,
  receiver,
  service,
  sluice,
}) => {
  test.setTimeout(300_000);
  const variables = variablesOf(service, ownMerchant.keys.test);
  const endpoint = await startReceiver();
  try {
    await endedPayment(api);
    await createEndpoint(api, `${endpoint.url}/hooks`);
    const secret = (await sluice.run(["listen", "--print-secret"], variables)).output.trim();
    const listening = sluice.start(["listen", "--forward-to", `${receiver.url}/local?a=b`], variables);
    await untilReady(listening);
    expect(listening.errors).toContain(secret);

    const triggered = await sluice.run(["trigger", "payment_intent.succeeded", "--json"], variables);
    expect(triggered.status, triggered.errors).toBe(0);
    const [{ event_id = "", intent_id = "" } = {}] = jsonLines(triggered.output);
    await expect.poll(() => receiver.received.length).toBe(1);
    const [message] = receiver.received;
    const event = verifyWebhook(secret, message?.headers ?? {}, message?.body ?? "");
    expect(event).toMatchObject({ id: event_id, data: { payment_intent_id: intent_id } });
    expect(message?.path).toBe("/local?a=b");
    await expect.poll(() => endpoint.received.length, { timeout: 120_000 }).toBe(1);
    expect(message?.body).toBe(endpoint.received[0]?.body);
    await expect.poll(() => listening.output).toContain(`payment_intent.succeeded ${String(event_id)} → 200 in`);

    listening.interrupt();
    expect(await listening.ended, listening.errors).toBe(0);
    expect(listening.errors).toContain(`--since ${String(event_id)}`);

    // What occurs while nothing listens is forwarded later, the oldest first; failed is left out by the filter.
    const missed: string[] = [];
    for (const outcome of ["succeeded", "declined", "expired"]) missed.push((await endedPayment(api, outcome)).id);
    const words = ["--since", String(event_id), "--events", "payment_intent.succeeded,payment_intent.expired"];
    const later = await sluice.run(
      ["listen", "--forward-to", receiver.url, "--count", "2", "--json", ...words],
      variables,
    );
    expect(later.status, later.errors).toBe(0);
    expect(receiver.received.slice(1).map(({ headers }) => headers["webhook-id"])).toEqual([missed[0], missed[2]]);
    expect(jsonLines(later.output)).toMatchObject([
      { event: { id: missed[0] }, forwarded: { status: 200, error: null } },
      { event: { id: missed[2] }, forwarded: { status: 200, error: null } },
    ]);
  } finally {
    await endpoint.stop();
  }
});

test("listen outlasts a service that is killed, and forwards each event once and in order", async ({
  receiver,
  sluice,
  startOwnService,
}) => {
  test.setTimeout(600_000);
  const service = await startOwnService();
  const { keys } = await createMerchant(service);
  const variables = variablesOf(service, keys.test);
  const trigger = async () => {
    const { status, output, errors } = await sluice.run(["trigger", "payment_intent.failed", "--json"], variables);
    expect(status, errors).toBe(0);
    return String(jsonLines(output)[0]?.event_id);
  };
  const before = await trigger();
  const listening = sluice.start(["listen", "--forward-to", receiver.url], variables);
  await untilReady(listening);
  const occurred = [await trigger()];
  await expect.poll(() => receiver.received.length).toBe(1);
  await service.kill9();
  await expect.poll(() => listening.errors).toContain("does not answer");
  await service.restart();
  await expect.poll(() => listening.errors).toContain("The service answers again.");
  occurred.push(await trigger(), await trigger());
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(3);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual(occurred);
  expect(occurred).not.toContain(before);
  listening.interrupt();
  expect(await listening.ended).toBe(0);
});

test("a receiver that is down or refuses is reported, and the event can be sent to it again", async ({
  api,
  ownMerchant,
  receiver,
  service,
  sluice,
}) => {
  const variables = variablesOf(service, ownMerchant.keys.test);
  const { id } = await endedPayment(api);
  receiver.answer(500);
  const refused = await sluice.run(["events", "resend", id, "--forward-to", receiver.url], variables);
  expect(refused).toMatchObject({ status: 1, output: expect.stringContaining("500 in") });
  receiver.answer(204);
  const accepted = await sluice.run(["events", "resend", id, "--forward-to", receiver.url], variables);
  expect(accepted).toMatchObject({ status: 0, output: expect.stringContaining("204 in") });
  const secret = (await sluice.run(["listen", "--print-secret"], variables)).output.trim();
  const last = receiver.received.at(-1);
  expect(verifyWebhook(secret, last?.headers ?? {}, last?.body ?? "").id).toBe(id);
});

test("events resend delivers again to each endpoint, and says so when there is none", async ({
  api,
  ownMerchant,
  receiver,
  service,
  sluice,
  strangerApi,
}) => {
  const variables = variablesOf(service, ownMerchant.keys.test);
  const unheard = await endedPayment(api);
  const none = await sluice.run(["events", "resend", unheard.id], variables);
  expect(none).toMatchObject({ status: 1, output: "", errors: expect.stringContaining("nothing_to_resend") });

  await createEndpoint(api, `${receiver.url}/hooks`);
  const { id } = await endedPayment(api);
  await untilDelivery(api, id, ({ state }) => state === "delivered");
  const resent = await sluice.run(["events", "resend", id], variables);
  expect(resent.status, resent.errors).toBe(0);
  await expect.poll(() => receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);

  const foreign = await endedPayment(strangerApi);
  const refused = await sluice.run(["events", "resend", foreign.id, "--json"], variables);
  expect(refused.status).toBe(1);
  expect(jsonLines(refused.errors)).toMatchObject([{ error: { code: "not_found" } }]);
});

test("trigger ends payments and payouts as each event says, with test keys alone", async ({
  api,
  approve,
  ownMerchant,
  service,
  sluice,
}) => {
  test.setTimeout(300_000);
  const variables = variablesOf(service, ownMerchant.keys.test);
  const trigger = (type: string, ...more: string[]) => sluice.run(["trigger", type, "--json", ...more], variables);
  for (const type of [
    "payment_intent.succeeded",
    "payment_intent.failed",
    "payment_intent.expired",
    "payout_intent.cancelled",
  ]) {
    const { status, output, errors } = await trigger(type);
    expect(status, errors).toBe(0);
    const [made] = jsonLines(output);
    const event = bodyOf<{ type: string }>(await api.get(`/events/${String(made?.event_id)}`), 200);
    expect(event.type).toBe(type);
  }
  const waiting = await trigger("payout_intent.succeeded");
  expect(waiting).toMatchObject({ status: 4, output: "" });

  for (const ending of ["succeeded", "failed"] as const) {
    const running = sluice.start(["trigger", `payout_intent.${ending}`, "--wait", "--json"], variables);
    await expect.poll(() => running.errors).toMatch(/word_\w+ waits for approval/);
    await approve(/word_\w+/.exec(running.errors)?.[0] ?? "");
    expect(await running.ended, running.errors).toBe(0);
    const [made] = jsonLines(running.output);
    expect(made).toMatchObject({ type: `payout_intent.${ending}`, status: ending, event_id: expect.any(String) });
  }
  const live = await sluice.run(["trigger", "payment_intent.succeeded"], variablesOf(service, ownMerchant.keys.live));
  expect(live).toMatchObject({ status: 1, output: "", errors: expect.stringContaining("live_key") });
});

test("logs shows the calls, one with its redacted bodies, and follows further ones", async ({
  api,
  ownMerchant,
  service,
  sluice,
}) => {
  const variables = variablesOf(service, ownMerchant.keys.test);
  const body = payoutBody();
  const answer = await api.post("/payout_intents", body);
  const id = answer.headers.get("request-id") ?? "";
  await expect.poll(async () => (await api.get(`/api_logs/${id}`)).status).toBe(200);

  const shown = await sluice.run(["logs", "--method", "post", "--status", "2xx"], variables);
  expect(shown.status, shown.errors).toBe(0);
  expect(shown.output).toMatch(new RegExp(`^\\S+Z 201 POST   /v1/payout_intents \\d+ ms ${id}$`, "m"));

  const one = await sluice.run(["logs", id], variables);
  expect(one.output).toContain(body.merchant_reference);
  expect(one.output).toContain("[hidden]");
  expect(one.output).not.toContain(body.recipient.account_number);

  const following = sluice.start(["logs", "--follow", "--json"], variables);
  await untilReady(following);
  const later = (await api.get("/wallets?currency=BRL")).headers.get("request-id") ?? "";
  await expect.poll(() => following.output).toContain(later);
  const calls = jsonLines(following.output);
  expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
  // Its own polls are hidden.
  expect(calls.filter(({ route }) => route === "/api_logs")).toEqual([]);
  following.interrupt();
  expect(await following.ended, following.errors).toBe(0);
});

test("help, version and wrong words need no key", async ({ sluice }) => {
  expect(await sluice.run(["--help"])).toMatchObject({ status: 0, output: expect.stringContaining("listen") });
  expect(await sluice.run(["listen", "-h"])).toMatchObject({ status: 0, output: expect.stringContaining("--since") });
  expect((await sluice.run(["-v"])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const words of [["nothing"], ["trigger"], ["trigger", "x"], ["logs", "--since", "x"], ["events"], ["--nothing"]])
    expect(await sluice.run(words), words.join(" ")).toMatchObject({ status: 2, output: "" });
});
