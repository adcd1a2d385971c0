// What the menu of a list's saved views holds. Loaded when it unfolds.
"use client";
import { Bookmark, Check, Pencil, Trash2 } from "lucide-react";
import { usePathname } from "next/navigation";
import type { MouseEvent } from "react";
import type { SavedView } from "@/server/domain/saved-view";
import { useTexts } from "../i18n/use-texts";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";

/** A dialog of the menu. */
export type Open = { readonly act: "save" } | { readonly act: "rename" | "delete"; readonly view: SavedView };

interface ViewChoicesProps {
  /** Undefined until they are loaded. */
  readonly views: readonly SavedView[] | undefined;
  /** The view that the address shows. */
  readonly shown: SavedView | undefined;
  /** Why they could not be loaded; null otherwise. */
  readonly error: unknown;
  readonly canSave: boolean;
  readonly onOpen: (view: SavedView) => void;
  /** Folds the menu and opens a dialog. */
  readonly onTurn: (next: Open) => void;
}

export default function ViewChoices({ views, shown, error, canSave, onOpen, onTurn }: ViewChoicesProps) {
  const texts = useTexts();
  return (
    <div className="grid w-[min(20rem,calc(100vw-2.875rem))] grid-cols-[minmax(0,1fr)] gap-1">
      {error ? <p className="px-2.5 py-1.5 text-sm text-bad">{failureOf(texts, error).message}</p> : null}
      {views && views.length > 0 ? (
        <ul aria-label={texts("lists.yourViews")} className="grid max-h-80 grid-cols-[minmax(0,1fr)] overflow-y-auto">
          {views.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              isShown={view === shown}
              onOpen={() => onOpen(view)}
              onAct={(act) => onTurn({ act, view })}
            />
          ))}
        </ul>
      ) : null}
      <Saving canSave={canSave} isFirst={views?.length === 0} onSave={() => onTurn({ act: "save" })} />
    </div>
  );
}

interface ViewRowProps {
  readonly view: SavedView;
  readonly isShown: boolean;
  readonly onOpen: () => void;
  readonly onAct: (act: "rename" | "delete") => void;
}

const ICON_BUTTON = "grid size-9 shrink-0 place-items-center rounded-sm text-ink-soft hover:bg-sunken hover:text-ink";

function ViewRow({ view: { name, query }, isShown, onOpen, onAct }: ViewRowProps) {
  const texts = useTexts();
  const pathname = usePathname();
  /** A link, so that it can be opened in a tab or copied; a plain click only changes the address. */
  function onClick(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  }
  return (
    <li className="flex items-center">
      <a
        href={query === "" ? pathname : `${pathname}?${query}`}
        aria-current={isShown ? "page" : undefined}
        onClick={onClick}
        className={classNames(
          "flex min-h-9 min-w-0 grow items-center gap-2 rounded-sm px-2.5 text-sm hover:bg-sunken",
          isShown && "font-semibold",
        )}
      >
        <Check className={classNames("size-4 shrink-0", !isShown && "invisible")} aria-hidden="true" />
        <span className="truncate" title={name}>
          {name}
        </span>
      </a>
      <button type="button" className={ICON_BUTTON} onClick={() => onAct("rename")}>
        <Pencil className="size-4" aria-hidden="true" />
        <span className="sr-only">{texts("lists.renameOne", { name })}</span>
      </button>
      <button type="button" className={ICON_BUTTON} onClick={() => onAct("delete")}>
        <Trash2 className="size-4" aria-hidden="true" />
        <span className="sr-only">{texts("lists.deleteOne", { name })}</span>
      </button>
    </li>
  );
}

interface SavingProps {
  readonly canSave: boolean;
  /** Whether there are no views yet. */
  readonly isFirst: boolean;
  readonly onSave: () => void;
}

/** Shown only to members who have never saved a view. */
function Saving({ canSave, isFirst, onSave }: SavingProps) {
  const texts = useTexts();
  if (canSave)
    return (
      <Button size="medium" tone="quiet" className="justify-start px-2.5" onClick={onSave}>
        <Bookmark className="size-4" aria-hidden="true" />
        {texts("lists.saveView")}
      </Button>
    );
  return isFirst ? <p className="px-2.5 py-1.5 text-sm text-ink-soft">{texts("lists.noViews")}</p> : null;
}
