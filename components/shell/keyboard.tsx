// The shortcuts: Cmd/Ctrl-K, `/`, `?`, `j` and `k`, `g` with a page's letter, and the keys that controls declare. Dialogs
// are loaded on demand.
"use client";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from "react";
import { addressOfPage, PAGES } from "./navigation";
import { useShell } from "./shell-context";

const SearchDialog = lazy(() => import("./search/search-dialog"));
const ShortcutSheet = lazy(() => import("./shortcut-sheet"));

/** Maximum time, in ms, between the keys of a chord. */
const CHORD_MS = 1_500;

/** Keys pressed in a field or an open dialog are not shortcuts; a check box is no field to type in. */
function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input:not([type=checkbox]), textarea, select, dialog") !== null;
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  field?.focus();
  field?.select();
  return field !== null;
}

/** Keys of controls that a page declares by `aria-keyshortcuts`. */
const CONTROL_KEYS: readonly string[] = ["a", "c", "j", "k", "x"];

/**
 * Presses the control with that key: in the panel that has the focus, for a selection, or in the row that has the focus.
 * Returns false without one.
 */
function pressControl(key: string): boolean {
  if (!CONTROL_KEYS.includes(key)) return false;
  const focused = document.activeElement;
  const places = [focused?.closest("[data-panel]"), document.querySelector("[data-bulk-bar]"), focused?.closest("tr")];
  const controls = places.flatMap(
    (place) => place?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]:not(:disabled)`) ?? [],
  );
  controls[0]?.click();
  return controls.length > 0;
}

/** Shows more of the row whose link has the focus. Returns false elsewhere. */
function peek(): boolean {
  const link = document.activeElement?.closest("[data-row-link]");
  const row = link?.closest<HTMLElement>("tr[data-peek]");
  row?.click();
  return row !== null && row !== undefined;
}

/** Moves the focus by `by` rows; from outside the rows to the first one. */
function focusRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
  const row = document.activeElement?.closest("tr");
  const at = row ? links.findIndex((link) => row.contains(link)) : -1;
  const next = at === -1 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1);
  links[next]?.focus();
}

/** What is open over the page. */
export type OpenDialog = "search" | "sheet" | null;

interface KeyboardProps {
  readonly open: OpenDialog;
  readonly onOpen: (open: OpenDialog) => void;
}

export function Keyboard({ open, onOpen }: KeyboardProps) {
  const router = useRouter();
  const { environment, member } = useShell();
  const chordAt = useRef(Number.NEGATIVE_INFINITY);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      onOpen(open === "search" ? null : "search");
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTaken(event)) return;
    if (performance.now() - chordAt.current < CHORD_MS) {
      chordAt.current = Number.NEGATIVE_INFINITY;
      const page = PAGES.find(
        ({ chord, permission }) => chord === event.key && member.permissions.includes(permission),
      );
      if (page) router.push(addressOfPage(environment, page));
    } else if (event.key === "g") {
      chordAt.current = performance.now();
    } else if (event.key === "/") {
      event.preventDefault();
      if (!focusSearch()) onOpen("search");
    } else if (pressControl(event.key)) {
      event.preventDefault();
    } else if (event.key === "j" || event.key === "k") {
      focusRow(event.key === "j" ? 1 : -1);
    } else if (event.key === " ") {
      if (peek()) event.preventDefault();
    } else if (event.key === "?") {
      onOpen("sheet");
    }
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  const close = () => onOpen(null);
  return (
    <Suspense>
      {open === "search" ? <SearchDialog onClose={close} /> : null}
      {open === "sheet" ? <ShortcutSheet onClose={close} /> : null}
    </Suspense>
  );
}
