// The container image's files, run as compose.yaml says: in sandboxes with a root that cannot be written, as the image's
// user, on a real Postgres, behind the project's PgBouncer and Caddy settings.
import { readdirSync } from "node:fs";
import { request } from "node:https";
import { join, relative } from "node:path";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { paymentBody } from "../rest/bodies";
import { createPayment, simulate, untilStatus, walletOf } from "../rest/calls";
import { type Api, basicAuthorization, createApi, fetchValidator } from "../support/api";
import { expect, test } from "../support/fixtures";
import type { ApiKey } from "../support/merchant";
import { tier } from "../support/tier";
import { buildImage, type Image } from "./image/build";
import { hasBubblewrap } from "./image/sandbox";
import { baseNode } from "./node";
import { hasCaddy, type Stack, startStack } from "./stack";

/** Beyond it, something of the development has got into the image. */
const MAXIMUM_MB = 400;

let image: Image;
let stack: Stack;
let key: ApiKey;
let api: Api;

test.describe.configure({ mode: "serial" });
test.skip(!hasBubblewrap(), "needs bubblewrap");

test.beforeAll(async () => {
  test.setTimeout(1_800_000);
  const node = baseNode();
  image = await buildImage({ isQuick: tier === "representative", node });
  stack = await startStack(image, node);
});
test.afterAll(async () => {
  await stack?.stop();
  image?.remove();
});

/** Runs a command of the operator in the container of web, as `docker compose exec` does. */
function cli<Document>(...words: readonly string[]): Document {
  const { status, stdout } = stack.web.execute(["npm", "run", "-s", "cli", "--", ...words]);
  expect(status, stdout).toBe(0);
  return JSON.parse(stdout) as Document;
}

test("the image has the packages of production only, and its size is bounded", () => {
  const packages = readdirSync(join(image.app, "node_modules"));
  for (const name of ["prisma", "typescript", "vitest", "playwright-core", "lucide-react", "tailwindcss"])
    expect(packages).not.toContain(name);
  for (const name of ["next", "pg", "tsx", "react"]) expect(packages).toContain(name);
  const files = readdirSync(image.app).sort();
  expect(files.filter((name) => /^(e2e|bench|\.git|\.env|\.data)/.test(name))).toEqual([]);
  process.stdout.write(`the image's files, without the base image: ${image.megabytes} MB\n`);
  expect(image.megabytes).toBeLessThan(MAXIMUM_MB);
});

/** Without folders: npm leaves empty ones. */
const packageFiles = ({ app }: Image) =>
  readdirSync(join(app, "node_modules"), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name !== ".package-lock.json")
    .map((entry) => join(relative(app, entry.parentPath), entry.name))
    .sort();

if (tier === "deep")
  test("the quick build of `npm test` has the same packages", async () => {
    test.setTimeout(600_000);
    const quick = await buildImage({ isQuick: true, node: baseNode() });
    try {
      expect(packageFiles(quick)).toEqual(packageFiles(image));
    } finally {
      quick.remove();
    }
  });

test("nothing in the container can be written except /tmp, and it runs as the image's user", () => {
  const script = `
    const { writeFileSync } = require("node:fs");
    const codes = ["/app/x", "/app/.next/x", "/x", "/usr/local/bin/x", "/tmp/x"].map((path) => {
      try { writeFileSync(path, "x"); return "written"; } catch (error) { return error.code; }
    });
    console.log(JSON.stringify([process.getuid(), ...codes]));`;
  const { stdout } = stack.web.execute(["node", "-e", script]);
  expect(JSON.parse(stdout)).toEqual([1000, "EROFS", "EROFS", "EROFS", "EROFS", "written"]);
});

test("web and worker are healthy and ready; only the worker's container has workers", async () => {
  expect([stack.web.isHealthy(), stack.worker.isHealthy()]).toEqual([true, true]);
  for (const url of [stack.baseUrl, stack.workerUrl]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await expect.poll(() => stack.worker.logs()).toContain("worker starts");
  expect(stack.web.logs()).not.toContain("worker starts");
});

test("a page of the dashboard is served with its styles and scripts", async () => {
  const page = await (await fetch(`${stack.baseUrl}/sign-in`)).text();
  const files = [...page.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(files.length).toBeGreaterThan(3);
  for (const path of new Set(files)) expect((await fetch(stack.baseUrl + path)).status, path).toBe(200);
});

test("the operator creates a merchant in the container, and the worker finishes its payment", async () => {
  const { keys } = cli<{ keys: { test: { public_key: string; secret_key: string } } }>(
    "merchants",
    "create",
    "--name=Acme",
    "--currencies=BRL",
    "--with-keys",
  );
  key = { publicKey: keys.test.public_key, secretKey: keys.test.secret_key };
  api = createApi(stack.baseUrl, key, await fetchValidator(stack.baseUrl));
  const before = await walletOf(api, "BRL");
  // The sandbox answers after the create call, and only the worker receives it.
  const { id, status } = await createPayment(api, { amount: "5003" });
  expect(status).toBe("processing");
  await untilStatus<PaymentIntentResource>(api, id, ["requires_action"]);
  expect((await simulate<PaymentIntentResource>(api, id, "succeeded")).status).toBe("succeeded");
  expect(await walletOf(api, "BRL")).toEqual({ ...before, available: before.available + 5003n });
});

interface SecureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function callByTls(method: string, path: string, body = "", headers = {}): Promise<SecureAnswer> {
  const { origin = "", authority = "" } = stack.tls ?? {};
  return new Promise((resolve, reject) => {
    const call = request(`${origin}${path}`, { method, headers, ca: authority }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
    });
    call.once("error", reject).end(body);
  });
}

test("Caddy serves the API under TLS with the caller's address, and hides /metrics (skipped: needs caddy)", async () => {
  test.skip(!hasCaddy(), "needs caddy");
  const headers = { authorization: basicAuthorization(key), "content-type": "application/json" };
  const created = await callByTls("POST", "/v1/payment_intents", JSON.stringify(paymentBody()), headers);
  expect(created.status, created.body).toBe(201);
  expect(created.headers["strict-transport-security"]).toBeTruthy();
  const intent = JSON.parse(created.body) as PaymentIntentResource;
  expect(created.body).toContain(`"${stack.tls?.origin}/pay/${intent.id}`);
  expect((await callByTls("GET", `/pay/${intent.id}`)).status).toBe(200);
  expect((await callByTls("GET", "/metrics")).status).toBe(404);
  expect((await fetch(`${stack.baseUrl}/metrics`)).status).toBe(401);
});

test("SIGTERM ends both in order with status 0, and nothing was logged as a fault", async () => {
  expect(await Promise.all([stack.web.stop(), stack.worker.stop()])).toEqual([0, 0]);
  const faults = /"level":"(?:error|fatal)"|EROFS|EACCES|ENOENT|Unhandled|Warning:/;
  for (const { logs } of [stack.web, stack.worker])
    expect(
      logs()
        .split("\n")
        .filter((line) => faults.test(line)),
    ).toEqual([]);
});
