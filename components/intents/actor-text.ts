const MAKERS: Readonly<Record<string, string>> = { api_key: "API key", operator: "Operator", worker: "Sluice" };

/** The actor's address, key name, or kind. */
export function actorText({ type, name }: { readonly type: string; readonly name: string | null }): string {
  if (type === "member") return name ?? "A former member";
  const kind = MAKERS[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
  return name === null ? kind : `${kind} “${name}”`;
}
