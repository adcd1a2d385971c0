// What the member's menu unfolds to: preferences, and the ways to the account, the documentation and out.
"use client";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";
import Preferences from "./preferences";
import { useShell } from "./shell-context";

async function signOutHere(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
}

const ITEM = "w-full rounded-sm px-2.5 py-1.5 text-left text-sm hover:bg-sunken";

interface MemberMenuItemsProps {
  /** Called when a page of the dashboard was chosen. */
  readonly onLeave: () => void;
}

export default function MemberMenuItems({ onLeave }: MemberMenuItemsProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const everywhere = useMutation(trpc.session.signOutEverywhere.mutationOptions({ onSuccess: signOutHere }));
  return (
    <>
      <Preferences />
      <hr className="my-1 border-line" />
      <Link href={`/${environment}/account`} prefetch={false} className={`${ITEM} block`} onClick={onLeave}>
        {texts("shell.yourAccount")}
      </Link>
      <Link href={`/${environment}/notifications`} prefetch={false} className={`${ITEM} block`} onClick={onLeave}>
        {texts("shell.notifications")}
      </Link>
      <Link href="/docs" prefetch={false} className={`${ITEM} block`}>
        {texts("shell.documentation")}
      </Link>
      <button type="button" className={ITEM} onClick={() => void signOutHere()}>
        {texts("shell.signOut")}
      </button>
      <button type="button" className={ITEM} onClick={() => everywhere.mutate()} disabled={everywhere.isPending}>
        {texts("shell.signOutEverywhere")}
      </button>
    </>
  );
}
