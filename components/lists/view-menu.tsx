// The menu of a list's saved views: open, save, rename, delete.
"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark, Check, Pencil, Trash2 } from "lucide-react";
import { usePathname } from "next/navigation";
import { lazy, type MouseEvent, Suspense, useState } from "react";
import type { SavedView, ViewList } from "@/server/domain/saved-view";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { classNames } from "../ui/class-names";
import { FoldedPopover } from "../ui/popover";
import { useFold } from "../ui/use-fold";
import type { ListAddress } from "./use-list-address";

const NameDialog = lazy(() => import("./name-view-dialog"));
const DeleteDialog = lazy(() => import("./delete-view-dialog"));

interface ViewMenuProps {
  readonly list: ViewList;
  readonly address: ListAddress;
}

type Open = { readonly act: "save" } | { readonly act: "rename" | "delete"; readonly view: SavedView };

/** A view is active while the address equals the stored one. */
export function ViewMenu({ list, address }: ViewMenuProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data: views, error } = useQuery(trpc.savedViews.list.queryOptions({ environment, list }));
  const [open, setOpen] = useState<Open | null>(null);
  const fold = useFold();
  const close = () => setOpen(null);
  /** Dialogs open after the menu has folded, so that they return the focus to its button. */
  const turnTo = (next: Open) => {
    fold.shut();
    setOpen(next);
  };
  const shown = views?.find(({ query }) => query === address.query);
  return (
    <>
      <FoldedPopover
        fold={fold}
        className="shrink-0"
        label={
          <>
            <Bookmark className={classNames("size-4", shown && "fill-current")} aria-hidden="true" />
            {shown ? (
              <span className="max-w-20 truncate sm:max-w-44">
                <span className="sr-only">{texts("lists.view")} </span>
                {shown.name}
              </span>
            ) : (
              texts("lists.views")
            )}
          </>
        }
      >
        <div className="grid w-[min(20rem,calc(100vw-2.875rem))] grid-cols-[minmax(0,1fr)] gap-1">
          {error ? <p className="px-2.5 py-1.5 text-sm text-bad">{failureOf(texts, error).message}</p> : null}
          {views && views.length > 0 ? (
            <ul
              aria-label={texts("lists.yourViews")}
              className="grid max-h-80 grid-cols-[minmax(0,1fr)] overflow-y-auto"
            >
              {views.map((view) => (
                <ViewRow
                  key={view.id}
                  view={view}
                  isShown={view === shown}
                  onOpen={() => {
                    fold.shut();
                    address.open(view.query);
                  }}
                  onAct={(act) => turnTo({ act, view })}
                />
              ))}
            </ul>
          ) : null}
          <Saving
            canSave={address.query !== "" && views !== undefined && !shown}
            isFirst={views?.length === 0}
            onSave={() => turnTo({ act: "save" })}
          />
        </div>
      </FoldedPopover>
      <Suspense>
        {open?.act === "save" ? <NameDialog list={list} query={address.query} onClose={close} /> : null}
        {open?.act === "rename" ? <NameDialog list={list} view={open.view} onClose={close} /> : null}
        {open?.act === "delete" ? <DeleteDialog view={open.view} onClose={close} /> : null}
      </Suspense>
    </>
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
        <span className="sr-only">{texts("lists.renameName2", { name })}</span>
      </button>
      <button type="button" className={ICON_BUTTON} onClick={() => onAct("delete")}>
        <Trash2 className="size-4" aria-hidden="true" />
        <span className="sr-only">{texts("lists.deleteName2", { name })}</span>
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
  return isFirst ? <p className="px-2.5 py-1.5 text-sm text-ink-soft">{texts("lists.noViewsYetSetAStatus")}</p> : null;
}
