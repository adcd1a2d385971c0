import { BlockList } from "node:net";
import { describe, expect, it } from "vitest";
import { ConfigurationError, loadEnv } from "./env";

const SECRET = Buffer.alloc(32, 7).toString("base64");

function faultsOf(source: Record<string, string>): readonly string[] {
  try {
    loadEnv(source);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe("loadEnv", () => {
  it("needs nothing: the embedded default has a value for everything", () => {
    expect(loadEnv({})).toEqual({
      host: "127.0.0.1",
      port: 3000,
      databaseUrl: null,
      databaseDirectUrl: null,
      reportDatabaseUrl: null,
      cells: [{ name: "main", tag: "", databaseUrl: null, databaseDirectUrl: null, reportDatabaseUrl: null }],
      workerCells: [{ name: "main", tag: "", databaseUrl: null, databaseDirectUrl: null, reportDatabaseUrl: null }],
      databaseStatements: "named",
      webConcurrency: 1,
      workerConcurrency: 1,
      databasePoolSize: 10,
      dataDir: ".data",
      baseUrl: "http://localhost:3000",
      isBaseUrlSet: false,
      openId: null,
      screener: null,
      trustedProxies: expect.any(BlockList),
      smtpUrl: null,
      mailFrom: null,
      secrets: [],
      recordSecrets: [],
      referenceKey: null,
      dispatch: "on",
      providerDeadlineMs: 2500,
      idempotencyLeaseSeconds: 60,
      rateLimitPerSecond: 100,
      rateLimitBurst: 200,
      webhookAllowLoopback: false,
      apiLogDays: 7,
      sessionDays: 30,
      noticeDays: 90,
      logLevel: "info",
      metricsToken: null,
      tracing: null,
      providers: null,
      routes: null,
    });
  });

  it("requires a sender with an SMTP server, and an address of one", () => {
    const mail = loadEnv({ SMTP_URL: "smtps://u:p@mail.example.com", MAIL_FROM: "pay@example.com" });
    expect(mail).toMatchObject({ smtpUrl: "smtps://u:p@mail.example.com", mailFrom: "pay@example.com" });
    expect(faultsOf({ SMTP_URL: "smtp://mail.example.com" })).toEqual([expect.stringContaining("MAIL_FROM")]);
    expect(faultsOf({ SMTP_URL: "https://mail.example.com", MAIL_FROM: "x" })).toEqual([
      expect.stringContaining("SMTP_URL"),
    ]);
  });

  it("requires an id and a secret with an OpenID provider, and an issuer with them", () => {
    const issuer = "https://login.example.com";
    expect(loadEnv({}).openId).toBeNull();
    expect(loadEnv({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "sluice", OIDC_CLIENT_SECRET: "s" }).openId).toEqual({
      issuer,
      clientId: "sluice",
      clientSecret: "s",
      name: "single sign-on",
      isOnlyWay: false,
      alwaysTwoFactors: false,
    });
    expect(faultsOf({ OIDC_ISSUER: issuer })).toHaveLength(2);
    expect(faultsOf({ OIDC_CLIENT_SECRET: "s", OIDC_ONLY: "true" })).toHaveLength(2);
    expect(faultsOf({ OIDC_ISSUER: "login.example.com" })[0]).toMatch(/^OIDC_ISSUER must be/);
    const plain = { OIDC_ISSUER: "http://login.example.com", OIDC_CLIENT_ID: "sluice", OIDC_CLIENT_SECRET: "s" };
    expect(faultsOf(plain)[0]).toMatch(/^OIDC_ISSUER must be https outside this machine/);
    expect(faultsOf({ ...plain, ALLOW_INSECURE: "true" })).toEqual([]);
  });

  it("requires an address and a long secret for screening, both or neither", () => {
    const screener = { url: "https://screening.example.com", secret: "a secret of at least 32 characters" };
    expect(loadEnv({ SCREENING_URL: screener.url, SCREENING_SECRET: screener.secret }).screener).toEqual(screener);
    expect(faultsOf({ SCREENING_URL: screener.url })).toHaveLength(1);
    expect(faultsOf({ SCREENING_SECRET: screener.secret })).toHaveLength(1);
    expect(faultsOf({ SCREENING_URL: screener.url, SCREENING_SECRET: "short" })).toHaveLength(1);
    const plain = { SCREENING_URL: "http://screening.example.com", SCREENING_SECRET: screener.secret };
    expect(faultsOf(plain)[0]).toMatch(/^SCREENING_URL must be https outside this machine/);
  });

  it("requires a metrics token that nobody guesses", () => {
    const token = "0123456789abcdef0123456789abcdef";
    expect(loadEnv({ METRICS_TOKEN: token }).metricsToken).toBe(token);
    expect(faultsOf({ METRICS_TOKEN: token.slice(1) })).toEqual([expect.stringMatching(/^METRICS_TOKEN must have 32/)]);
  });

  it("requires DATABASE_URL with further addresses of the database, and TLS of each", () => {
    const address = "postgres://sluice@db.example.com/sluice";
    const others = { DATABASE_DIRECT_URL: address, REPORT_DATABASE_URL: address };
    expect(faultsOf({ ...others, ALLOW_INSECURE: "true" })).toEqual([
      "DATABASE_DIRECT_URL is set without DATABASE_URL: set both",
      "REPORT_DATABASE_URL is set without DATABASE_URL: set both",
    ]);
    const own = { DATABASE_URL: "postgres://sluice@localhost/sluice", SLUICE_SECRETS: SECRET };
    expect(faultsOf({ ...own, ...others }).map((fault) => fault.split(" ")[0])).toEqual(Object.keys(others));
    expect(loadEnv({ ...own, ...others, ALLOW_INSECURE: "true" })).toMatchObject({
      databaseDirectUrl: address,
      reportDatabaseUrl: address,
    });
    expect(faultsOf({ ...own, DATABASE_STATEMENTS: "none" })[0]).toMatch(/^DATABASE_STATEMENTS must be one of/);
  });

  it("treats a blank variable as not set", () => {
    expect(loadEnv({ PORT: "", BASE_URL: "  ", LOG_LEVEL: "" })).toEqual(loadEnv({}));
  });

  it("names every fault at once, each with its variable", () => {
    const faults = faultsOf({
      ALLOW_INSECURE: "1",
      HOST: "localhost",
      PORT: "70000",
      DATABASE_URL: "mysql://host/db",
      DATABASE_POOL_SIZE: "0",
      BASE_URL: "https://host/path",
      PROVIDER_DEADLINE_MS: "2.5",
      IDEMPOTENCY_LEASE_SECONDS: "-1",
      RATE_LIMIT_PER_SECOND: "1e3",
      RATE_LIMIT_BURST: "many",
      WEBHOOK_ALLOW_LOOPBACK: "yes",
      SLUICE_SECRETS: `${SECRET},short`,
      REFERENCE_KEY: `${SECRET},${SECRET}`,
      LOG_LEVEL: "loud",
      TRUSTED_PROXIES: "10.0.0.1",
    });
    expect(faults.map((fault) => fault.split(/[ ,]/)[0]).sort()).toEqual([
      "ALLOW_INSECURE",
      "BASE_URL",
      "DATABASE_POOL_SIZE",
      "DATABASE_URL",
      "HOST",
      "IDEMPOTENCY_LEASE_SECONDS",
      "LOG_LEVEL",
      "PORT",
      "PROVIDER_DEADLINE_MS",
      "RATE_LIMIT_BURST",
      "RATE_LIMIT_PER_SECOND",
      "REFERENCE_KEY",
      "SLUICE_SECRETS",
      "TRUSTED_PROXIES",
      "WEBHOOK_ALLOW_LOOPBACK",
    ]);
  });

  it("limits the deadline of a provider to the time that a worker's claim allows", () => {
    expect(loadEnv({ PROVIDER_DEADLINE_MS: "20000" }).providerDeadlineMs).toBe(20_000);
    expect(faultsOf({ PROVIDER_DEADLINE_MS: "20001" })).toEqual([
      "PROVIDER_DEADLINE_MS must be a whole number from 1 to 20000; omit it for the default, 2500",
    ]);
  });

  it("never repeats a value, which may be a secret", () => {
    const faults = faultsOf({ DATABASE_URL: "mysql://u:hunter2@host", SLUICE_SECRETS: "c2VjcmV0" });
    expect(faults.join()).not.toMatch(/hunter2|c2VjcmV0/);
  });

  it("requires secrets if the operator names a database", () => {
    expect(faultsOf({ DATABASE_URL: "postgres://localhost/db" })).toEqual([
      expect.stringMatching(/^SLUICE_SECRETS is missing/),
    ]);
    expect(faultsOf({ DATABASE_URL: "postgres://localhost/db", SLUICE_SECRETS: SECRET })).toEqual([]);
  });

  it("preserves the order of secrets: the newest stays first", () => {
    const older = Buffer.alloc(32, 9).toString("base64");
    expect(loadEnv({ SLUICE_SECRETS: `${SECRET}, ${older}` }).secrets.map((secret) => secret[0])).toEqual([7, 9]);
  });

  it("removes the slash at the end of BASE_URL, so that paths can be appended", () => {
    expect(loadEnv({ BASE_URL: "https://pay.example.com/" })).toMatchObject({
      baseUrl: "https://pay.example.com",
      isBaseUrlSet: true,
    });
  });
});
