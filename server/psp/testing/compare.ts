// What the scripts that compare an adapter with its provider's document have in common.
import Ajv from "ajv";
import type { Json } from "./openapi-document";

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

/** Returns where a value violates a schema of the document; `what` names the value. */
export function faultsOf(schema: Json | undefined, value: unknown, what: string): string[] {
  if (schema === undefined) return [`${what}: the document has no schema`];
  const validate = ajv.compile(schema as object);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath}: ${message}`);
}

/** Prints the differences, each once, and returns the status of the process: 1 if there are some. */
export function printDifferences(differences: readonly string[]): number {
  const found = [...new Set(differences)];
  process.stdout.write(found.length === 0 ? "no differences\n" : `${found.join("\n")}\n`);
  return found.length === 0 ? 0 : 1;
}
