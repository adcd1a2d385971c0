// The API as clients of the last release know it: what it promised them must still hold.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnswerValidator, createAnswerValidator, type OpenApiDocument, templateFinder } from "./openapi";
import { PROJECT_ROOT } from "./service-process";

/** The document of v0.1.0, without line breaks. Replace it at each release. */
const RELEASED = join(PROJECT_ROOT, "e2e/upgrade/openapi-v0.1.0.generated.json");

/** Reads the document of the last release. */
export function readReleasedDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(RELEASED, "utf8")) as OpenApiDocument;
}

/** Answers may get new members. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) => name !== "additionalProperties" || member !== false);
  return Object.fromEntries(members.map(([name, member]) => [name, opened(member)]));
}

/**
 * Creates a function that throws if a success differs from the last release's document in anything but new members. New
 * operations and errors may be added.
 */
export function createReleasedValidator(released: OpenApiDocument): AnswerValidator {
  const document = opened(released) as OpenApiDocument;
  const validate = createAnswerValidator(document, { isOpen: true });
  const templateOf = templateFinder(document);
  return (answer) => {
    const template = templateOf(answer.path) ?? "";
    if (answer.status >= 400 || document.paths[template]?.[answer.method.toLowerCase()] === undefined) return;
    try {
      validate(answer);
    } catch (error) {
      throw new Error(`breaks clients of the last release: ${(error as Error).message}`, { cause: error });
    }
  };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly maximum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { schema: Schema }>>;
  };
}

type Resolve = (schema: Schema) => Schema;

function resolverOf({ components }: OpenApiDocument): Resolve {
  return (schema) => {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (components?.schemas?.[name] as Schema);
  };
}

/** What a value that the old schema accepts may violate in the new one. */
function narrowings(
  place: string,
  before: Schema,
  after: Schema,
  resolve: { before: Resolve; after: Resolve },
): string[] {
  const [old, now] = [resolve.before(before), resolve.after(after)];
  const faults: string[] = [];
  if (old.type !== now.type) faults.push(`${place}: the type ${old.type} became ${now.type}`);
  for (const name of now.required ?? [])
    if (!old.required?.includes(name)) faults.push(`${place}.${name} became required`);
  for (const value of now.enum ? (old.enum ?? ["any"]) : [])
    if (!now.enum?.includes(value)) faults.push(`${place}: ${JSON.stringify(value)} is no longer accepted`);
  for (const bound of ["maxLength", "maximum"] as const)
    if ((now[bound] ?? Number.POSITIVE_INFINITY) < (old[bound] ?? Number.POSITIVE_INFINITY))
      faults.push(`${place}: ${bound} became ${now[bound]}`);
  for (const [name, member] of Object.entries(old.properties ?? {})) {
    const same = now.properties?.[name];
    if (same) faults.push(...narrowings(`${place}.${name}`, member, same, resolve));
    else faults.push(`${place}.${name} is gone`);
  }
  if (old.items && now.items) faults.push(...narrowings(`${place}[]`, old.items, now.items, resolve));
  return faults;
}

/** What clients of the released document send, and the present one no longer accepts. */
export function requestFaults(released: OpenApiDocument, present: OpenApiDocument): string[] {
  const resolve = { before: resolverOf(released), after: resolverOf(present) };
  const faultsOf = (line: string, old: Operation, now: Operation | undefined): string[] => {
    if (!now) return [`${line} is gone`];
    const faults = old.operationId === now.operationId ? [] : [`${line}: ${old.operationId} became ${now.operationId}`];
    const find = (operation: Operation, { name, in: place }: Parameter) =>
      operation.parameters?.find((one) => one.name === name && one.in === place);
    for (const parameter of old.parameters ?? []) {
      const same = find(now, parameter);
      if (same) faults.push(...narrowings(`${line}?${parameter.name}`, parameter.schema, same.schema, resolve));
      else faults.push(`${line}?${parameter.name} is gone`);
    }
    for (const parameter of now.parameters ?? [])
      if (parameter.required && !find(old, parameter)?.required)
        faults.push(`${line}?${parameter.name} became required`);
    const bodies = [old, now].map(({ requestBody }) => requestBody?.content["application/json"]?.schema);
    if (bodies[0] && bodies[1]) faults.push(...narrowings(`${line} body`, bodies[0], bodies[1], resolve));
    if (now.requestBody?.required && !old.requestBody?.required) faults.push(`${line}: the body became required`);
    return faults;
  };
  return Object.entries(released.paths).flatMap(([path, operations]) =>
    Object.entries(operations as Readonly<Record<string, Operation>>).flatMap(([method, old]) =>
      faultsOf(`${method.toUpperCase()} ${path}`, old, present.paths[path]?.[method] as Operation | undefined),
    ),
  );
}
