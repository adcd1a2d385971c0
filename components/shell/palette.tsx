// The palette: type a page's name or paste an id to go there.
"use client";
import { CornerDownLeft, Hash, type LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useState } from "react";
import { classNames } from "../ui/class-names";
import { Dialog } from "../ui/dialog";
import { addressOfId, addressOfPage, PAGES } from "./navigation";
import { type ShellValue, useShell } from "./shell-context";

interface Destination {
  readonly label: string;
  readonly hint: string;
  readonly href: string;
  readonly Icon: LucideIcon;
}

function destinations({ environment, member }: ShellValue, typed: string): Destination[] {
  const other = environment === "test" ? "live" : "test";
  const address = addressOfId(environment, typed);
  if (address) return [{ label: `Open ${typed.trim()}`, hint: environment, href: address, Icon: Hash }];
  const pages = PAGES.filter(({ permission }) => member.permissions.includes(permission));
  const everywhere = [environment, other].flatMap((name) =>
    pages.map(({ label, path, Icon }) => ({ label, hint: name, href: addressOfPage(name, { path }), Icon })),
  );
  const words = typed.toLowerCase().split(/\s+/);
  return everywhere.filter(({ label, hint }) => words.every((word) => `${label} ${hint}`.toLowerCase().includes(word)));
}

/** Moves the focus up or down through the field and the destinations below it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, button")];
  const next = stops.indexOf(document.activeElement as HTMLElement) + step;
  stops.at(next % stops.length)?.focus();
}

/** Enter in the field opens the first destination. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const router = useRouter();
  const shell = useShell();
  const [typed, setTyped] = useState("");
  const found = destinations(shell, typed);

  function go(destination: Destination | undefined): void {
    if (!destination) return;
    onClose();
    router.push(destination.href);
  }

  return (
    <Dialog title="Go to" tone="top" isTitleHidden onClose={onClose}>
      <div role="presentation" onKeyDown={moveFocus}>
        <input
          data-first-focus=""
          aria-label="Page name or id"
          autoComplete="off"
          spellCheck={false}
          placeholder="Page name, or paste an id"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => (event.key === "Enter" ? go(found[0]) : undefined)}
          className="w-full border-b border-line bg-transparent px-4 py-3.5 text-base placeholder:text-ink-soft focus-visible:outline-none"
        />
        <ul aria-label="Destinations" className="max-h-80 overflow-y-auto p-1.5">
          {found.map((destination, index) => (
            <li key={destination.href}>
              <button
                type="button"
                onClick={() => go(destination)}
                className="flex min-h-10 w-full items-center gap-3 rounded-md px-2.5 text-left text-sm hover:bg-sunken focus-visible:bg-accent-soft focus-visible:text-accent-strong focus-visible:-outline-offset-2"
              >
                <destination.Icon className="size-4.5 shrink-0" aria-hidden="true" />
                <span className="min-w-0 truncate">{destination.label}</span>
                <span className="caption ml-auto">{destination.hint}</span>
                {index === 0 ? <CornerDownLeft className="size-4 text-ink-soft" aria-hidden="true" /> : null}
              </button>
            </li>
          ))}
        </ul>
        <output className={classNames("block px-4 pb-4 text-sm text-ink-soft", found.length > 0 && "sr-only")}>
          {found.length > 0 ? `${found.length} found` : "Nothing is called that. An id is pasted whole."}
        </output>
      </div>
    </Dialog>
  );
}
