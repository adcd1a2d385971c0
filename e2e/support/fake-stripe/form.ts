// Reads Stripe's form encoding: `a[b][0]=c`.

export interface Form {
  readonly [name: string]: string | Form | undefined;
}

/** Returns the members of a body or query; list items are members named by their index. */
export function parseForm(text: string): Form {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const names = name.split(/[[\]]+/).filter((part) => part !== "");
    let members = root;
    for (const part of names.slice(0, -1)) {
      members[part] ??= {};
      members = members[part] as Record<string, unknown>;
    }
    members[names.at(-1) ?? ""] = value;
  }
  return root as Form;
}

/** Returns a nested text; undefined if there is none. */
export function textAt(form: Form | undefined, ...names: readonly string[]): string | undefined {
  let value: string | Form | undefined = form;
  for (const name of names) value = typeof value === "object" ? value[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Returns nested members; none if there are none. */
export function membersAt(form: Form, name: string): Form {
  const { [name]: value } = form;
  return typeof value === "object" ? value : {};
}
