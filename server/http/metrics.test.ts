// GET /metrics: who may read it, and labels that no caller can choose.
import { beforeEach, describe, expect, it } from "vitest";
import { processExposition } from "@/server/platform/metrics/process";
import { handleApiRequest } from "./handler";
import { collectMetricsBy } from "./metrics";
import { pageRoute } from "./request-metrics";

const TOKEN = "0123456789abcdef0123456789abcdef";
const shared = globalThis as { sluiceEnv?: unknown; sluiceBuckets?: unknown };

interface Options {
  readonly method?: string;
  readonly authorization?: string;
  readonly duplicateHeaders?: readonly string[];
}

function ask(target: string, { method = "GET", authorization, duplicateHeaders = [] }: Options = {}) {
  return handleApiRequest({
    method,
    target,
    headers: new Headers(authorization === undefined ? {} : { authorization }),
    peer: { address: "203.0.113.7", duplicateHeaders },
    readBody: async () => new Uint8Array(),
  });
}

function configure(variables: Readonly<Record<string, string>>): void {
  Object.assign(process.env, { LOG_LEVEL: "silent", METRICS_TOKEN: TOKEN, RATE_LIMIT_BURST: "200", ...variables });
  delete shared.sluiceEnv;
  delete shared.sluiceBuckets;
}

beforeEach(() => {
  configure({});
  collectMetricsBy(async () => "# metrics\n");
});

describe("the path", () => {
  it("does not exist without METRICS_TOKEN: the answer is that of any unknown path", async () => {
    configure({ METRICS_TOKEN: "" });
    const [own, other] = [await ask("/metrics", { authorization: `Bearer ${TOKEN}` }), await ask("/unknown")];
    expect([own.status, own.body]).toEqual([404, other.body]);
    expect(Object.keys(own.headers)).toEqual(Object.keys(other.headers));
  });

  it("answers the token with the metrics, as text", async () => {
    for (const authorization of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`]) {
      const { status, headers, body } = await ask("/metrics", { authorization });
      expect([status, body]).toEqual([200, "# metrics\n"]);
      expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    TOKEN,
    `Basic ${Buffer.from(`metrics:${TOKEN}`).toString("base64")}`,
  ])("rejects %j with 401 and asks for a bearer token", async (authorization) => {
    const { status, headers, body } = await ask("/metrics", authorization === undefined ? {} : { authorization });
    expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer realm="metrics"']);
    expect(body).not.toContain(TOKEN);
  });

  it("rejects a token that was sent twice, and every method but GET and HEAD", async () => {
    const authorization = `Bearer ${TOKEN}`;
    expect((await ask("/metrics", { authorization, duplicateHeaders: ["authorization"] })).status).toBe(401);
    expect((await ask("/metrics", { authorization, method: "HEAD" })).status).toBe(200);
    expect((await ask("/metrics", { authorization, method: "POST" })).status).toBe(405);
    expect((await ask("/metrics/", { authorization })).status).toBe(404);
  });

  it("slows guessing by address; the token is never slowed", async () => {
    configure({ RATE_LIMIT_BURST: "3", RATE_LIMIT_PER_SECOND: "1" });
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await ask("/metrics", { authorization: `Bearer ${n}` })).status);
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses).toContain(429);
    expect((await ask("/metrics", { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });
});

describe("the route of a request", () => {
  it.each([
    ["GET", "/healthz", "/healthz", 200],
    ["GET", "/v1/payment_intents/dord_01h455vb4pex5vsknk084sn02q?x=1", "/v1/payment_intents/:id", 401],
    ["DELETE", "/v1/payout_intents", "/v1/payout_intents", 401],
    ["GET", "/v1/payment_intents/a/b/c", "unknown", 401],
    ["GET", "/v1", "unknown", 401],
    ["GET", "/v1/__proto__", "unknown", 401],
    ["GET", "/wp-login.php", "unknown", 404],
    ["POST", "/providers/nobody/callbacks", "/providers/:provider/callbacks", 404],
    ["PROPFIND", "/v1/wallets", "/v1/wallets", 401],
  ])("%s %s is counted under %s", async (method, target, route, status) => {
    const label = method === "PROPFIND" ? "other" : method;
    const sample = `sluice_http_requests_total{method="${label}",route="${route}",status="${status}",process="web-1"}`;
    const count = async () =>
      Number(
        (await processExposition("web-1"))
          .split("\n")
          .find((line) => line.startsWith(sample))
          ?.split(" ")
          .pop() ?? 0,
      );
    const before = await count();
    expect((await ask(target, { method })).status).toBe(status);
    expect(await count()).toBe(before + 1);
  });

  it("is one of a few for pages, whatever their address", () => {
    expect(
      ["/", "/test/payments/dord_1", "/_next/static/x.js", "/api/trpc/a,b?batch=1", "/api/x", "/pay/dord_1/state"].map(
        pageRoute,
      ),
    ).toEqual(["pages", "pages", "files", "/api/trpc", "/api", "/pay/:id"]);
  });
});
