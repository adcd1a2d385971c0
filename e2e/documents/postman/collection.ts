// Generates a Postman collection (v2.1, which Bruno and Insomnia import too) from the OpenAPI document. A request that
// creates or lists keeps an id for the requests that need one.

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: {
    readonly description?: string;
    readonly examples?: readonly string[];
    readonly default?: number;
  };
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly examples: { readonly request: { value: object } } } };
  };
}

/** The part of the document that is used here. */
export interface Described {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Request {
  readonly name: string;
  readonly event?: readonly { readonly listen: "test"; readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: "noauth" };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query?: readonly object[];
    };
    readonly body?: { readonly mode: "raw"; readonly raw: string; readonly options: object };
    readonly description?: string;
  };
}

export interface Collection {
  readonly info: object;
  readonly auth: object;
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly name: string; readonly description: string; readonly item: readonly Request[] }[];
}

/** Members of example bodies that differ at each request, or that come from an earlier answer. */
const LIVELY: Readonly<Record<string, string>> = {
  merchant_reference: "{{$guid}}",
  since: "{{$isoTimestamp}}",
  url: "{{webhook_url}}",
  id: "{{payment_intent_id}}",
};

/** The variable with an id of the resource that a segment of a path names: `payment_intents` to `payment_intent_id`. */
const variableOf = (segment: string) => `${segment.replace(/ies$/, "y").replace(/s$/, "")}_id`;

const keepId = (variable: string) => [
  "const answer = pm.response.json();",
  "const id = answer.id ?? answer.data?.[0]?.id;",
  `if (id) pm.collectionVariables.set("${variable}", id);`,
];

/** Returns the variable for an id of the operation's answer, or null if no other operation needs one. */
function keptBy(path: string, method: string, paths: readonly string[]): string | null {
  const last = path.split("/").at(-1) ?? "";
  const isListOrCreation = path === `/${last}` || (method === "get" && path.endsWith(`/{id}/${last}`));
  return isListOrCreation && paths.some((one) => one.startsWith(`/${last}/{id}`)) ? variableOf(last) : null;
}

function requestOf(path: string, method: string, operation: Operation, kept: string | null): Request {
  const segments = path.split("/").slice(1);
  const [resource = ""] = segments;
  const filled = segments.map((segment) => (segment === "{id}" ? `{{${variableOf(resource)}}}` : segment));
  const parameters = operation.parameters ?? [];
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, description, schema }) => ({
      key: name,
      value: `${schema.default ?? schema.examples?.[0] ?? ""}`,
      description: description ?? schema.description ?? "",
      disabled: true,
    }));
  const isKeyed = parameters.some(({ name }) => name === "Idempotency-Key");
  const body = operation.requestBody?.content["application/json"].examples.request.value;
  return {
    name: operation.summary,
    ...(kept ? { event: [{ listen: "test", script: { exec: keepId(kept) } }] } : {}),
    request: {
      method: method.toUpperCase(),
      ...(operation.security?.length === 0 ? { auth: { type: "noauth" } } : {}),
      header: [
        ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
        ...(isKeyed ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
      ],
      url: {
        raw: `{{base_url}}/${filled.join("/")}`,
        host: ["{{base_url}}"],
        path: filled,
        ...(query.length > 0 ? { query } : {}),
      },
      ...(body
        ? {
            body: {
              mode: "raw",
              raw: JSON.stringify(body, (name, value: unknown) => LIVELY[name] ?? value, 2),
              options: { raw: { language: "json" } },
            },
          }
        : {}),
      ...(operation.description ? { description: operation.description } : {}),
    },
  };
}

/** Returns the collection: a folder for each tag, with what deletes as its last request. */
export function postmanCollection({ info, tags, paths }: Described): Collection {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const isLast = ({ method }: { method: string }) => (method === "delete" ? 1 : 0);
  const item = tags.map(({ name, description }) => ({
    name,
    description,
    item: operations
      .filter(({ operation }) => operation.tags.includes(name))
      .sort((a, b) => isLast(a) - isLast(b))
      .map(({ path, method, operation }) =>
        requestOf(path, method, operation, keptBy(path, method, Object.keys(paths))),
      ),
  }));
  const ids = new Set([...JSON.stringify(item).matchAll(/\{\{(\w+_id)\}\}/g)].map(([, id]) => id ?? ""));
  return {
    info: {
      name: info.title,
      description: info.description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: {
      type: "basic",
      basic: [
        { key: "username", value: "{{public_key}}", type: "string" },
        { key: "password", value: "{{secret_key}}", type: "string" },
      ],
    },
    variable: [
      { key: "base_url", value: "http://localhost:3000/v1" },
      { key: "public_key", value: "" },
      { key: "secret_key", value: "" },
      { key: "webhook_url", value: "https://shop.example/hooks" },
      ...[...ids].map((key) => ({ key, value: "" })),
    ],
    item,
  };
}
