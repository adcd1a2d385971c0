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
  };
}

interface MediaTypes {
  readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>>;
}

interface OperationObject {
  readonly responses?: Readonly<Record<string, MediaTypes>>;
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

function templateMatchers(paths: readonly string[]) {
  const isFixed = (path: string) => !path.includes("{");
  return [...paths]
    .sort((a, b) => Number(isFixed(b)) - Number(isFixed(a)))
    .map((path) => ({ path, pattern: new RegExp(`^${escapeForPattern(path).replaceAll(/\{[^}]*\}/g, "[^/]+")}$`) }));
}

/** The document as JSON Schema, with the compiler of its schemas. */
export function compilerOf(served: OpenApiDocument): { readonly document: OpenApiDocument; readonly ajv: Ajv2020 } {
  const document = withReachableSchemas(served);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
  addFormats(ajv);
  for (const word of ANNOTATIONS) ajv.addKeyword(word);
  ajv.addSchema({ $id: COMPONENTS, $defs: document.components?.schemas ?? {} });
  return { document, ajv };
}

/**
 * Creates a function that throws if an answer's status, media type or body differs from the document. A request without
 * an operation may only be rejected, in the error envelope.
 */
export function createAnswerValidator(served: OpenApiDocument): AnswerValidator {
  const { document, ajv } = compilerOf(served);
  const isEnvelope = ajv.compile(ERROR_ENVELOPE);
  const templates = templateMatchers(Object.keys(document.paths));
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
    const mediaType = headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    if (status >= 400) {
      if (mediaType !== "application/json") reject(`an error of type "${mediaType}"`);
      checkBody(isEnvelope);
    }

    const bare = path.split(/[?#]/)[0] ?? "";
    const template = templates.find(({ pattern }) => pattern.test(bare))?.path;
    const operations = template === undefined ? undefined : document.paths[template];
    const verb = (method === "HEAD" ? "GET" : method).toLowerCase();
    const operation = operations?.[verb] as OperationObject | undefined;
    if (template === undefined || !operation) {
      const allowed = operations ? UNROUTED.unknownMethod : UNROUTED.unknownPath;
      if (!allowed.includes(status)) reject("no operation of the document answers this request");
      return;
    }
    const response = operation.responses?.[String(status)];
    if (!response) return void reject("the document does not list this status for the operation");
    if (response.content === undefined) {
      if (text !== "") reject("the document says this answer has no body");
      return;
    }
    const media = response.content[mediaType];
    if (!media) return void reject(`the document does not list the type "${mediaType}"`);
    checkBody(ajv.compile(media.schema));
  };
}
