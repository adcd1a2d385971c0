// Checks answers of the service against its own OpenAPI document: nothing undocumented passes.
import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** The part of an OpenAPI 3.1 document that is used here. */
export interface OpenApiDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, AnySchema>>;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, HeaderObject>>;
    readonly responses?: Readonly<Record<string, ResponseObject>>;
  };
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: AnySchema;
}

type Referable<Value> = Value | { readonly $ref: string };

interface ResponseObject {
  readonly headers?: Readonly<Record<string, Referable<HeaderObject>>>;
  readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>>;
}

interface OperationObject {
  readonly responses?: Readonly<Record<string, Referable<ResponseObject>>>;
}

function isReference(value: object): value is { readonly $ref: string } {
  return "$ref" in value;
}

/** The value itself, or the component that it refers to. */
function resolved<Value extends object>(
  value: Referable<Value>,
  components: Readonly<Record<string, Value>> | undefined,
): Value {
  if (!isReference(value)) return value;
  const component = components?.[value.$ref.split("/").at(-1) ?? ""];
  if (!component) throw new Error(`the document has no ${value.$ref}`);
  return component;
}

/** An answer as received. */
export interface ReceivedAnswer {
  readonly method: string;
  /** Below the document's server address, with or without a query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type AnswerValidator = (answer: ReceivedAnswer) => void;

const COMPONENTS = "components.json";
/** Keywords that OpenAPI adds to JSON Schema and that restrict nothing. */
const ANNOTATIONS = ["discriminator", "x-extension", "example", "externalDocs", "xml"];

/** Interface §2.4: exactly these two members, whatever the document states. */
const ERROR_ENVELOPE = {
  type: "object",
  required: ["error"],
  additionalProperties: false,
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      additionalProperties: false,
      properties: { code: { type: "string", minLength: 1 }, message: { type: "string", minLength: 1 } },
    },
  },
};

/** Statuses for requests without an operation: each is decided before or by the routing. */
const UNROUTED = { unknownPath: [400, 401, 404, 429, 500, 503], unknownMethod: [400, 401, 405, 429, 500, 503] };

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
}

/** The document with only the named schemas that its references reach, because JSON Schema does not know the rest. */
function withReachableSchemas(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  return JSON.parse(
    text.replaceAll('"$ref":"#/components/schemas/', `"$ref":"${COMPONENTS}#/$defs/`),
  ) as OpenApiDocument;
}

/** Returns a function that finds the documented path of a request's target, such as `/v1/payment_intents/{id}`. */
export function templateFinder({ paths }: OpenApiDocument): (target: string) => string | undefined {
  const isFixed = (path: string) => !path.includes("{");
  const templates = Object.keys(paths)
    .sort((a, b) => Number(isFixed(b)) - Number(isFixed(a)))
    .map((path) => ({ path, pattern: new RegExp(`^${escapeForPattern(path).replaceAll(/\{[^}]*\}/g, "[^/]+")}$`) }));
  return (target) => {
    const bare = target.split(/[?#]/)[0] ?? "";
    return templates.find(({ pattern }) => pattern.test(bare))?.path;
  };
}

/**
 * Answers may get new members, so their schemas are open. Our own answers have none that the document lacks: objects are
 * closed here, except parts of an `allOf`, of which each describes some members only.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema as Readonly<Record<string, unknown>>).map(
    ([name, value]) => [name, name === "allOf" ? value : closed(value)] as const,
  );
  const isOpen = "properties" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(members), ...(isOpen ? { additionalProperties: false } : {}) };
}

/** The document as JSON Schema, with the compiler of its schemas; with `isOpen`, objects may have further members. */
export function compilerOf(
  served: OpenApiDocument,
  isOpen = false,
): { readonly document: OpenApiDocument; readonly ajv: Ajv2020 } {
  const document = withReachableSchemas(served);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
  addFormats(ajv);
  for (const word of ANNOTATIONS) ajv.addKeyword(word);
  const schemas = document.components?.schemas ?? {};
  ajv.addSchema({ $id: COMPONENTS, $defs: (isOpen ? schemas : closed(schemas)) as object });
  return { document, ajv };
}

/**
 * Creates a function that throws if an answer's status, headers, media type or body differ from the document. A request without
 * an operation may only be rejected, in the error envelope.
 */
export function createAnswerValidator(served: OpenApiDocument, { isOpen = false } = {}): AnswerValidator {
  const { document, ajv } = compilerOf(served, isOpen);
  const isEnvelope = ajv.compile(ERROR_ENVELOPE);
  const templateOf = templateFinder(document);
  const { components } = document;
  const headersOf = ({ headers = {} }: ResponseObject) =>
    new Map(
      Object.entries(headers).map(([name, header]) => [name.toLowerCase(), resolved(header, components?.headers)]),
    );
  const responsesOf = ({ responses = {} }: OperationObject) =>
    Object.values(responses).map((one) => resolved(one, components?.responses));
  const documentedHeaders = new Set(
    Object.values(document.paths)
      .flatMap((operations) => Object.values(operations) as OperationObject[])
      .flatMap(responsesOf)
      .flatMap((response) => [...headersOf(response).keys()]),
  );
  return ({ method, path, status, headers, text }) => {
    const where = `${method} ${path} → ${status}`;
    const reject = (what: string): never => {
      throw new Error(`${where}: ${what}\n${text.slice(0, 2_000)}`);
    };
    const checkBody = (validate: ValidateFunction) => {
      if (method === "HEAD") return;
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        reject("the body is not JSON");
      }
      if (!validate(body)) reject(`the body is not as documented: ${ajv.errorsText(validate.errors)}`);
    };
    const checkHeader = (name: string, value: string, { schema }: HeaderObject) => {
      const validate = ajv.compile(schema);
      const isNumber = typeof schema === "object" && schema.type === "integer";
      if (!validate(isNumber ? Number(value) : value)) reject(`the header ${name} is not as documented: ${value}`);
    };
    const mediaType = headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    if (status >= 400) {
      if (mediaType !== "application/json") reject(`an error of type "${mediaType}"`);
      checkBody(isEnvelope);
    }

    const template = templateOf(path);
    const operations = template === undefined ? undefined : document.paths[template];
    const verb = (method === "HEAD" ? "GET" : method).toLowerCase();
    const operation = operations?.[verb] as OperationObject | undefined;
    if (template === undefined || !operation) {
      const allowed = operations ? UNROUTED.unknownMethod : UNROUTED.unknownPath;
      if (!allowed.includes(status)) reject("no operation of the document answers this request");
      return;
    }
    const listed = operation.responses?.[String(status)];
    if (!listed) return void reject("the document does not list this status for the operation");
    const response = resolved(listed, components?.responses);
    const known = headersOf(response);
    for (const name of documentedHeaders) {
      const value = headers.get(name);
      const header = known.get(name);
      if (value === null && header?.required) reject(`the header ${name} is missing`);
      if (value !== null && !header) reject(`the document does not list the header ${name} here`);
      if (value !== null && header) checkHeader(name, value, header);
    }
    if (response.content === undefined) {
      if (text !== "") reject("the document says this answer has no body");
      return;
    }
    const media = response.content[mediaType];
    if (!media) return void reject(`the document does not list the type "${mediaType}"`);
    checkBody(ajv.compile(media.schema));
  };
}
