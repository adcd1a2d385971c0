// Reads an OpenAPI 3.0 document as plain JSON Schema: references resolved, `nullable` turned into a type.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

const isObject = (value: Json | undefined): value is { readonly [member: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export class OpenApiDocument {
  private constructor(private readonly root: Json) {}

  /** Reads YAML or JSON files: one document, or the parts of one. */
  static read(...paths: readonly string[]): OpenApiDocument {
    const parts = paths.map((path) => parse(readFileSync(path, "utf8")) as Json);
    return new OpenApiDocument(parts.reduce((whole, part) => merged(whole, part)));
  }

  /** Returns the value at a path of members, with references resolved; undefined if there is none. */
  at(...path: readonly string[]): Json | undefined {
    let value: Json | undefined = this.root;
    for (const member of path) {
      const resolved = this.resolve(value);
      value = isObject(resolved) ? resolved[member] : undefined;
    }
    return this.plain(value);
  }

  private resolve(value: Json | undefined): Json | undefined {
    if (!isObject(value) || typeof value.$ref !== "string") return value;
    return this.at(...value.$ref.replace(/^#\//, "").split("/"));
  }

  private plain(value: Json | undefined): Json | undefined {
    const resolved = this.resolve(value);
    if (Array.isArray(resolved)) return (resolved as readonly Json[]).map((item) => this.plain(item) ?? null);
    if (!isObject(resolved)) return resolved;
    const members = Object.entries(resolved).map(([name, item]) => [name, this.plain(item) ?? null] as const);
    const { nullable, example: _example, ...schema } = Object.fromEntries(members) as Record<string, Json>;
    if (nullable === undefined) return schema;
    return typeof schema.type === "string" && nullable === true ? { ...schema, type: [schema.type, "null"] } : schema;
  }
}

/** The members of both values, those of nested objects included. */
function merged(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return other;
  const common = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  return {
    ...one,
    ...other,
    ...Object.fromEntries(common.map((name) => [name, merged(one[name] ?? null, other[name] ?? null)])),
  };
}

/** Returns the schema with each `allOf` as one object: parts that exclude each other's members are meant as one. */
export function joined(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(joined);
  if (!isObject(value)) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, joined(item)] as const));
  const { allOf, ...rest } = members as { readonly [member: string]: Json };
  if (!Array.isArray(allOf)) return rest;
  const parts = allOf as readonly Json[];
  const whole = [...parts, rest].reduce((sum, part) => merged(sum, part));
  return isObject(whole) && whole.nullable === true && typeof whole.type === "string"
    ? { ...whole, type: [whole.type, "null"] }
    : whole;
}

/** Returns the texts of an `enum`; empty if the value is no list. */
export function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
