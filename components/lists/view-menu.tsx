// The menu of a list's saved views: open, save, rename, delete.
"use client";
import { useQuery } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ViewList } from "@/server/domain/saved-view";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { classNames } from "../ui/class-names";
import { FoldedPopover } from "../ui/popover";
import { useFold } from "../ui/use-fold";
import type { ListAddress } from "./use-list-address";
import type { Open } from "./view-choices";

const ViewChoices = lazy(() => import("./view-choices"));
const NameDialog = lazy(() => import("./name-view-dialog"));
const DeleteDialog = lazy(() => import("./delete-view-dialog"));

interface ViewMenuProps {
  readonly list: ViewList;
  readonly address: ListAddress;
}

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
        <Suspense>
          <ViewChoices
            views={views}
            shown={shown}
            error={error}
            canSave={address.query !== "" && views !== undefined && !shown}
            onOpen={(view) => {
              fold.shut();
              address.open(view.query);
            }}
            onTurn={turnTo}
          />
        </Suspense>
      </FoldedPopover>
      <Suspense>
        {open?.act === "save" ? <NameDialog list={list} query={address.query} onClose={close} /> : null}
        {open?.act === "rename" ? <NameDialog list={list} view={open.view} onClose={close} /> : null}
        {open?.act === "delete" ? <DeleteDialog view={open.view} onClose={close} /> : null}
      </Suspense>
    </>
  );
}
