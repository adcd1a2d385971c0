"use client";
import { useMutation } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import Link from "next/link";
import { lazy, Suspense, useId } from "react";
import { useTRPC } from "../trpc/client";
import { useFold } from "../ui/use-fold";
import { useShell } from "./shell-context";

const Preferences = lazy(() => import("./preferences"));

async function signOutHere(): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ redirect: false });
  window.location.assign("/sign-in");
}

const ITEM = "w-full rounded-sm px-2.5 py-1.5 text-left text-sm hover:bg-sunken";

/** A button that unfolds the rest; Escape and a click elsewhere fold it. */
export function MemberMenu() {
  const { environment, member } = useShell();
  const trpc = useTRPC();
  const { isOpen, setOpen, frame, button, onKeyDown } = useFold();
  const id = useId();
  const everywhere = useMutation(trpc.session.signOutEverywhere.mutationOptions({ onSuccess: signOutHere }));

  return (
    <div ref={frame} role="presentation" className="relative" onKeyDown={onKeyDown}>
      {isOpen ? (
        <div
          id={id}
          className="absolute inset-x-0 bottom-full mb-2 grid gap-1 rounded-md border border-line bg-surface p-1.5 shadow-raised"
        >
          <Suspense>
            <Preferences />
          </Suspense>
          <hr className="my-1 border-line" />
          <Link
            href={`/${environment}/account`}
            prefetch={false}
            className={`${ITEM} block`}
            onClick={() => setOpen(false)}
          >
            Your account
          </Link>
          <button type="button" className={ITEM} onClick={() => void signOutHere()}>
            Sign out
          </button>
          <button type="button" className={ITEM} onClick={() => everywhere.mutate()} disabled={everywhere.isPending}>
            Sign out everywhere
          </button>
        </div>
      ) : null}
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center justify-between gap-2 rounded-md border border-line px-2.5 py-2 text-left hover:bg-sunken"
      >
        <span className="min-w-0">
          <span className="block truncate text-xs font-medium">{member.email}</span>
          <span className="caption block truncate">{member.roles.join(", ")}</span>
        </span>
        <ChevronsUpDown className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      </button>
    </div>
  );
}
