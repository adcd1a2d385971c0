import type { Texts } from "../i18n/dashboard-texts";

const makersIn = (texts: Texts): Readonly<Record<string, string>> => ({
  api_key: texts("intents.apiKey"),
  operator: texts("intents.operator"),
  worker: "Sluice",
});

export interface ActorFacts {
  readonly type: string;
  readonly name: string | null;
  readonly address: string | null;
}

/**
 * "Ana Souza (ana@shop.example)", an address alone, "API key “Shop”", or the actor's kind. Anybody can take any name, so the
 * address is always part of it.
 */
export function actorText(texts: Texts, { type, name, address }: ActorFacts): string {
  if (type === "member") return memberText({ name, address }) ?? texts("intents.aFormerMember");
  const kind = makersIn(texts)[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
  return name === null ? kind : `${kind} “${name}”`;
}

/** The name of a member with the address, or what there is; null if there is nothing. */
function memberText({ name, address }: Omit<ActorFacts, "type">): string | null {
  if (name === null) return address;
  return address === null ? name : `${name} (${address})`;
}
