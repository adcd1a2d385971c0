// Reads docs/deployment/compose.yaml, with its variables replaced as Compose does.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { PROJECT_ROOT, type Variables } from "../support/service-process";

export const DEPLOYMENT = join(PROJECT_ROOT, "docs/deployment");

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
}

export interface Compose {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** `${NAME:?}` is required; `${NAME:-default}` is not. */
const VARIABLE = /\$\{(\w+)(?::\?|:-([^}]*))\}/g;

/** Returns the file as data. Throws if a required variable is missing. */
export function readCompose(variables: Variables): Compose {
  const file = parse(readFileSync(join(DEPLOYMENT, "compose.yaml"), "utf8"), { merge: true }) as object;
  const filled = (text: string) =>
    text.replaceAll(VARIABLE, (_all, name: string, fallback?: string) => {
      const value = variables[name] || fallback;
      if (value === undefined) throw new Error(`compose.yaml needs ${name}`);
      return value;
    });
  return JSON.parse(JSON.stringify(file), (_key, value: unknown) =>
    typeof value === "string" ? filled(value) : value,
  ) as Compose;
}
