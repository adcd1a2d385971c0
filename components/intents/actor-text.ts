const MAKERS: Readonly<Record<string, string>> = { api_key: "API key", operator: "Operator", worker: "Sluice" };

export interface ActorFacts {
  readonly type: string;
  readonly name: string | null;
  readonly address: string | null;
}

/**
 * "Ana Souza (ana@shop.example)", an address alone, "API key “Shop”", or the actor's kind. Anybody can take any name, so the
 * address is always part of it.
 */
export function actorText({ type, name, address }: ActorFacts): string {
  if (type === "member") return memberText({ name, address }) ?? "A former member";
  const kind = MAKERS[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
  return name === null ? kind : `${kind} “${name}”`;
}

/** The name of a member with the address, or what there is; null if there is nothing. */
function memberText({ name, address }: Omit<ActorFacts, "type">): string | null {
  if (name === null) return address;
  return address === null ? name : `${name} (${address})`;
}
