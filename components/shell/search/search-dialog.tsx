// The search: one field over payments, payouts, top-ups, recipients, events and pages. The focus stays in the field; arrows
// choose among the options, Enter opens the chosen one.
"use client";
import { Search, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useTexts } from "../../i18n/use-texts";
import { Dialog } from "../../ui/dialog";
import { useShell } from "../shell-context";
import { optionGroups, type SearchOption } from "./option-groups";
import { OptionList } from "./option-list";
import { SearchNotes } from "./search-notes";
import { useFound } from "./use-found";

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export default function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const router = useRouter();
  const shell = useShell();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const search = useFound(typed);
  const groups = optionGroups(texts, shell, typed, search.found);
  const options = groups.flatMap((group) => group.options);
  const chosen = options.find(({ key }) => key === chosenKey) ?? options[0];
  const idOf = ({ key }: SearchOption) => `${listId}-${key}`;
  const chosenId = chosen && idOf(chosen);
  // Options of the text before stay while a text is searched: Enter must not open one of these.
  const [entered, setEntered] = useState<string | null>(null);
  const opens = entered === typed && !search.isSearching ? chosen?.href : undefined;

  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: "nearest" });
  }, [chosenId]);

  useEffect(() => {
    if (opens === undefined) return;
    onClose();
    router.push(opens);
  }, [opens, onClose, router]);

  function onType(text: string): void {
    setTyped(text);
    setChosenKey(null);
    setEntered(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step !== undefined && chosen) {
      event.preventDefault();
      const next = (options.indexOf(chosen) + step + options.length) % options.length;
      setChosenKey(options[next]?.key ?? null);
    } else if (event.key === "Enter") {
      // The focus returns to the button in the header, which the same key would press.
      event.preventDefault();
      setEntered(typed);
    }
  }

  return (
    <Dialog title={texts("shell.search")} tone="top" isTitleHidden onClose={onClose}>
      <div className="flex items-center gap-3 border-b border-line pr-2 pl-4">
        <Search className="size-5 shrink-0 text-ink-soft" aria-hidden="true" />
        <input
          data-first-focus=""
          role="combobox"
          aria-label={texts("shell.searchTitle")}
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? listId : undefined}
          aria-activedescendant={chosenId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={120}
          placeholder={texts("shell.searchPlaceholder")}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-w-0 grow bg-transparent py-3.5 text-base placeholder:text-ink-soft focus-visible:outline-none"
        />
        <span className="caption shrink-0 rounded-sm bg-sunken px-2 py-0.5 max-sm:hidden">
          {shell.environment === "test" ? texts("shell.test") : texts("shell.live")}
        </span>
        <button
          type="button"
          aria-label={texts("shell.closeSearch")}
          onClick={onClose}
          className="grid size-9 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <X className="size-5" aria-hidden="true" />
        </button>
      </div>
      {options.length > 0 ? (
        <OptionList id={listId} groups={groups} chosen={chosen} idOf={idOf} onClose={onClose} onChoose={setChosenKey} />
      ) : null}
      <SearchNotes typed={typed} search={search} count={options.length} />
    </Dialog>
  );
}
