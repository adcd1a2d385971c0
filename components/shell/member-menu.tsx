"use client";
import { ChevronsUpDown } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { rolesText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
import { useFold } from "../ui/use-fold";
import { useShell } from "./shell-context";

const MemberMenuItems = lazy(() => import("./member-menu-items"));

/** A button that unfolds the rest, which loads then; Escape and a click elsewhere fold it. */
export function MemberMenu() {
  const texts = useTexts();
  const { member } = useShell();
  const { isOpen, setOpen, frame, button, onKeyDown } = useFold();
  const id = useId();

  return (
    <div ref={frame} role="presentation" className="relative" onKeyDown={onKeyDown}>
      {isOpen ? (
        <div
          id={id}
          className="absolute inset-x-0 bottom-full mb-2 grid gap-1 rounded-md border border-line bg-surface p-1.5 shadow-raised"
        >
          <Suspense>
            <MemberMenuItems onLeave={() => setOpen(false)} />
          </Suspense>
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
          <span className="block truncate text-xs font-medium">{member.name ?? member.email}</span>
          <span className="caption block truncate">
            {rolesText(texts, member.roles) || texts("shell.noRoleInLive")}
          </span>
        </span>
        <ChevronsUpDown className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      </button>
    </div>
  );
}
