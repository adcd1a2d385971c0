// Proves that the checked-in OpenAPI document is the one that is served, and that it covers the whole route table.
import { expect, it } from "vitest";
import { ERROR_STATUS } from "@/server/domain/errors";
import { openApiDocument, openApiText } from "./openapi";
import { OPERATIONS } from "./routes";

it("docs/openapi.json is what the route table generates (rewrite it with `npm run openapi`)", async () => {
  await expect(openApiText()).toMatchFileSnapshot("../../docs/openapi.json");
});

it("every operation of the route table is in the document once", () => {
  const documented = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(documented.sort()).toEqual(routed.sort());
});

it("every documented answer is a success of the operation, a 304, or a status of the error table", () => {
  const statuses = new Set<number>(Object.values(ERROR_STATUS));
  for (const item of Object.values(openApiDocument().paths ?? {})) {
    for (const { responses } of Object.values(item) as { responses: Record<string, unknown> }[]) {
      // A URL that is too long is rejected before the route is known.
      expect(responses).toHaveProperty("400");
      for (const status of Object.keys(responses).map(Number)) {
        expect(status < 400 || statuses.has(status), String(status)).toBe(true);
      }
    }
  }
});

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const components = () => openApiDocument().components as { readonly schemas: Readonly<Record<string, Schema>> };

/** Each member of the schema and of what is in it, with its path. */
function membersOf(schema: Schema, path: string): (readonly [path: string, member: Schema])[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, member]) => [`${path}.${name}`, member] as const);
  const parts = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...own,
    ...own.flatMap(([name, member]) => membersOf(member, name)),
    ...parts.flatMap((part) => membersOf(part, path)),
  ];
}

const allMembers = () => Object.entries(components().schemas).flatMap(([name, schema]) => membersOf(schema, name));

it("every member and every parameter is described", () => {
  const named = (schema: Schema) => components().schemas[schema.$ref?.split("/").at(-1) ?? ""];
  const isDescribed = (schema: Schema) => Boolean(schema.description ?? named(schema)?.description);
  const silent = allMembers().filter(([, member]) => !isDescribed(member));
  expect(silent.map(([path]) => path)).toEqual([]);
  for (const item of Object.values(openApiDocument().paths ?? {})) {
    for (const { parameters } of Object.values(item) as {
      parameters?: (Schema & { name: string; schema: Schema })[];
    }[]) {
      for (const { name, description, schema } of parameters ?? []) {
        expect([name, description ?? schema.description]).toEqual([name, expect.any(String)]);
      }
    }
  }
});

it("answers may get new members, and the data of events none", () => {
  const closed = Object.entries(components().schemas).flatMap(([name, schema]) =>
    [[name, schema] as const, ...membersOf(schema, name)].filter(
      ([, { additionalProperties }]) => additionalProperties === false,
    ),
  );
  expect(
    closed.every(([path]) => /^P\w+Event\.data$/.test(path)),
    closed.map(([path]) => path).join(),
  ).toBe(true);
  expect(closed).toHaveLength(6);
});

/** Made by floods, faults or an outage, and not by a call. */
const WITHOUT_EXAMPLE = ["rate_limited", "internal_error", "service_unavailable"];

it("every success and every error that a call can make has an example, and so has every request with members", () => {
  const { paths = {}, components: { responses = {} } = {} } = openApiDocument();
  type Media = { readonly schema: Schema; readonly examples?: Readonly<Record<string, unknown>> };
  type Content = { readonly content?: Readonly<Record<string, Media>> };
  const missing: string[] = [];
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item) as {
      operationId: string;
      requestBody?: Content;
      responses: Record<string, Content>;
    }[]) {
      const { operationId, requestBody = {}, responses: answers } = operation;
      for (const [what, { content = {} }] of Object.entries({ request: requestBody, ...answers }))
        for (const { examples } of Object.values(content)) if (!examples) missing.push(`${operationId} ${what}`);
    }
  }
  for (const [name, response] of Object.entries(responses) as [string, Content & { description: string }][]) {
    const codes = [...response.description.matchAll(/`([a-z_]+)`:/g)].map(([, code]) => code ?? "");
    const shown = Object.keys(response.content?.["application/json"]?.examples ?? {});
    for (const code of codes)
      if (!shown.includes(code) && !WITHOUT_EXAMPLE.includes(code)) missing.push(`${name} ${code}`);
  }
  expect(missing).toEqual([]);
});
