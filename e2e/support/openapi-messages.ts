// Checks what webhook receivers are sent against the `webhooks` of the service's own OpenAPI document.
import type { AnySchema } from "ajv/dist/2020.js";
import { compilerOf, type OpenApiDocument } from "./openapi";

interface HeaderObject {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: AnySchema;
}

interface WebhookObject {
  readonly parameters?: readonly (HeaderObject | { readonly $ref: string })[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>> };
}

/** A message as received. */
interface ReceivedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Throws for a message that the document does not describe; returns its documented type. */
export type MessageValidator = (message: ReceivedMessage) => string;

const OWN_HEADER = /^webhook-/;
const PARAMETERS = "#/components/parameters/";

/**
 * Creates the validator: type, media type, body and `webhook-…` headers must be the documented ones, without others.
 */
export function createMessageValidator(served: OpenApiDocument): MessageValidator {
  const { document, ajv } = compilerOf(served);
  const headersOf = ({ parameters = [] }: WebhookObject): HeaderObject[] =>
    parameters.map((one) => {
      if (!("$ref" in one)) return one;
      return document.components?.parameters?.[one.$ref.slice(PARAMETERS.length)] as HeaderObject;
    });
  return ({ headers, body }) => {
    const message = JSON.parse(body) as { readonly type: string };
    const reject = (what: string): never => {
      throw new Error(`${message.type}: ${what}\n${body.slice(0, 2_000)}`);
    };
    const webhook = document.webhooks?.[message.type]?.post as WebhookObject | undefined;
    if (!webhook) return reject("the document has no such webhook");
    const mediaType = headers["content-type"]?.split(";")[0]?.trim() ?? "";
    const media = webhook.requestBody?.content?.[mediaType];
    if (!media) return reject(`the document does not list the type "${mediaType}"`);
    const isDocumented = ajv.compile(media.schema);
    if (!isDocumented(message)) reject(`the body is not as documented: ${ajv.errorsText(isDocumented.errors)}`);
    const documented = headersOf(webhook);
    for (const { name, required, schema } of documented) {
      const value = headers[name];
      if (value === undefined && required) reject(`the header ${name} is missing`);
      if (value !== undefined && !ajv.validate(schema, value)) reject(`the header ${name} is not as documented`);
    }
    const known = new Set(documented.map(({ name }) => name));
    const stray = Object.keys(headers).find((name) => OWN_HEADER.test(name) && !known.has(name));
    if (stray !== undefined) reject(`the header ${stray} is not documented`);
    return message.type;
  };
}
