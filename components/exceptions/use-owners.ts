"use client";
import { useQuery } from "@tanstack/react-query";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";

export interface Owner {
  readonly id: string;
  /** As in "Ana Souza (ana@shop.example)". */
  readonly text: string;
  readonly isMe: boolean;
  /** False for one who owns open exceptions, and is disabled or lost the role. */
  readonly mayOwn: boolean;
}

/** Those whom exceptions can be assigned to, the reader first, and others who own open ones; none until they are loaded. */
export function useOwners(): readonly Owner[] {
  const texts = useTexts();
  const { environment, member } = useShell();
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.exceptions.owners.queryOptions({ environment }));
  const owners = data.map(({ id, may_own: mayOwn, ...owner }) => ({
    id,
    text: actorText(texts, owner),
    isMe: id === member.id,
    mayOwn,
  }));
  return [...owners.filter(({ isMe }) => isMe), ...owners.filter(({ isMe }) => !isMe)];
}

/** Those whom exceptions can be assigned to; before they are loaded, the reader alone. */
export function useAssignees(): readonly Owner[] {
  const { member } = useShell();
  const owners = useOwners().filter(({ mayOwn }) => mayOwn);
  return owners.length > 0 ? owners : [{ id: member.id, text: member.name ?? member.email, isMe: true, mayOwn: true }];
}

/** The owner in a choice: marked if it is the reader, or somebody who no longer decides. */
export function ownerText(texts: Texts, { text, isMe, mayOwn }: Owner): string {
  if (isMe) return texts("exceptions.me", { name: text });
  return mayOwn ? text : texts("exceptions.formerOwner", { name: text });
}
