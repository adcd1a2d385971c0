// The operations of the OpenAPI document, and valid values for their schemas.
import type { OpenApiDocument } from "../../support/openapi";
import type { Random } from "./random";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly takesKey: boolean;
  /** Null without a body. */
  readonly body: Schema | null;
  readonly statuses: readonly string[];
}

interface Documented {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

function resolved(document: OpenApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (document.components?.schemas?.[name] as Schema);
}

/** Every error code of the document. */
export function errorCodesOf({ components }: OpenApiDocument): readonly string[] {
  const envelope = components?.schemas?.["Error"] as Schema | undefined;
  const codes = envelope?.properties?.["error"]?.properties?.["code"]?.enum;
  if (!codes) throw new Error("the document has no list of error codes");
  return codes.map(String);
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Documented>>).map(([method, documented]) => {
      const parameters = (documented.parameters ?? []).map((one) =>
        one.$ref === undefined
          ? one
          : (document.components?.parameters?.[one.$ref.split("/").at(-1) ?? ""] as Parameter),
      );
      const body = documented.requestBody?.content["application/json"]?.schema;
      return {
        id: documented.operationId,
        method: method.toUpperCase(),
        path,
        query: parameters.filter((one) => one.in === "query"),
        takesKey: parameters.some((one) => one.name === "Idempotency-Key"),
        body: body ? resolved(document, body) : null,
        statuses: Object.keys(documented.responses),
      };
    }),
  );
}

/** Values that a schema cannot state, by the name of the member. */
export type Hints = Readonly<Record<string, () => unknown>>;

/** A value that the schema allows; optional members are there half of the time. */
export function validValue(schema: Schema, random: Random, hints: Hints, name = ""): unknown {
  const hint = hints[name];
  if (hint && schema.const === undefined) return hint();
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return validValue(random.pick(schema.anyOf), random, hints);
  if (schema.properties) {
    const members = Object.entries(schema.properties).filter(
      ([member]) => schema.required?.includes(member) || random.chance(0.5),
    );
    return Object.fromEntries(members.map(([member, one]) => [member, validValue(one, random, hints, member)]));
  }
  if (schema.items) return [validValue(schema.items, random, hints)];
  if (schema.examples?.length) return schema.examples[0];
  if (schema.type === "null") return null;
  if (schema.type === "integer") return (schema.minimum ?? 0) + random.below(50);
  return schema.type === "object" ? {} : `text ${random.below(1_000)}`;
}
