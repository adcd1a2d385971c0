// Assigns or resolves several exceptions: lists them, asks to whom or why, then shows each result.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useId, useState } from "react";
import type { PresentedException } from "@/server/trpc/exceptions";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { codePointsOf, LONGEST_REASON } from "../payout-intents/reason";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { Select } from "../ui/select";
import { sumOf, titleOf } from "./exception-text";
import { ownerText, useAssignees } from "./use-owners";

interface BulkDialogProps {
  readonly act: "assign" | "resolve";
  readonly exceptions: readonly PresentedException[];
  /** After the results. */
  readonly onClose: () => void;
  /** Without a decision; the selection stays. */
  readonly onBack: () => void;
}

const wordsIn = (texts: Texts, count: number) =>
  ({
    assign: {
      act: texts("exceptions.assignMany", { count }),
      results: (done: number) => texts("exceptions.assignedOf", { done, of: count }),
      done: texts("exceptions.assignedDone"),
      notDone: texts("exceptions.notAssigned"),
      sending: texts("exceptions.assigning"),
    },
    resolve: {
      act: texts("exceptions.resolveMany", { count }),
      results: (done: number) => texts("exceptions.resolvedOf", { done, of: count }),
      done: texts("exceptions.resolvedDone"),
      notDone: texts("exceptions.notResolved"),
      sending: texts("exceptions.resolving"),
    },
  }) as const;

export default function BulkDialog({ act, exceptions, onClose, onBack }: BulkDialogProps) {
  const texts = useTexts();
  const words = wordsIn(texts, exceptions.length)[act];
  const { member } = useShell();
  const [notes, setNotes] = useState("");
  const [ownerId, setOwnerId] = useState(member.id);
  const { results, error, isSending, decide } = useManyDecisions(act, exceptions, onClose);
  const length = codePointsOf(notes.trim());
  const isReady = act === "assign" || (length > 0 && length <= LONGEST_REASON);
  const withMoney = exceptions.filter(({ money }) => money !== null).length;
  const done = results?.filter((result) => result.done).length;
  return (
    <Dialog title={results ? words.results(done ?? 0) : words.act} onClose={results ? onClose : onBack}>
      {results ? null : (
        <p className="text-sm">
          {act === "assign"
            ? texts("exceptions.assigningMovesNothing")
            : texts("exceptions.resolveManyEffect", {
                effect: texts("exceptions.resolveEffect"),
              })}
          {act === "resolve" && withMoney > 0 ? texts("exceptions.refusedForMoney", { withMoney }) : ""}
        </p>
      )}
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer, the focus is the only way to scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- for the same reason
        tabIndex={0}
        aria-label={texts("exceptions.exceptions")}
        className="grid max-h-72 overflow-y-auto rounded-md border border-line px-3.5 text-sm"
      >
        {exceptions.map((exception) => (
          <li key={exception.id} className="flex gap-2.5 border-t border-line py-2 first:border-t-0">
            <Outcome result={results?.find(({ id }) => id === exception.id)} words={words} />
            <span className="min-w-0 grow wrap-anywhere">
              {titleOf(texts, exception)}
              <Refusal result={results?.find(({ id }) => id === exception.id)} />
            </span>
            <span className="figures whitespace-nowrap text-ink-soft">{sumOf(texts, exception)}</span>
          </li>
        ))}
      </ul>
      {act === "assign" && !results ? <OwnerChoice ownerId={ownerId} onChoose={setOwnerId} /> : null}
      {act === "resolve" && !results ? <Notes notes={notes} length={length} onChange={setNotes} /> : null}
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={results ? onClose : onBack}>
          {results ? texts("exceptions.close") : texts("exceptions.cancel")}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone="primary"
            disabled={!isReady}
            aria-disabled={isSending || undefined}
            onClick={() => isSending || decide(act === "assign" ? ownerId : notes.trim())}
          >
            {isSending ? words.sending : words.act}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface Result {
  readonly id: string;
  readonly done: boolean;
  readonly message: string | null;
}

/** `onAlone` is called for a single exception that is done: its state says the result. */
function useManyDecisions(act: BulkDialogProps["act"], exceptions: readonly PresentedException[], onAlone: () => void) {
  const texts = useTexts();
  const announce = useAnnounce();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSettled = () => {
    void queries.invalidateQueries({ queryKey: trpc.exceptions.list.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.exceptions.count.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.exceptions.owners.queryKey() });
  };
  const onAssigned = (all: readonly Result[]) => {
    if (all.length !== 1 || !all.every(({ done }) => done)) return;
    announce(texts("exceptions.assignedOf", { done: 1, of: 1 }));
    onAlone();
  };
  const assign = useMutation(trpc.exceptions.assignMany.mutationOptions({ onSuccess: onAssigned, onSettled }));
  const resolve = useMutation(trpc.exceptions.resolveMany.mutationOptions({ onSettled }));
  const results: readonly Result[] | undefined = assign.data ?? resolve.data;
  return {
    results,
    error: assign.error ?? resolve.error,
    isSending: assign.isPending || resolve.isPending,
    /** `said` is the member's id, empty for nobody, or the notes. */
    decide(said: string) {
      const ids = exceptions.map(({ id }) => id);
      if (act === "assign") assign.mutate({ environment, ids, member_id: said === "" ? null : said });
      else resolve.mutate({ environment, ids, resolution: said });
    },
  };
}

interface OwnerChoiceProps {
  /** Empty for nobody. */
  readonly ownerId: string;
  readonly onChoose: (ownerId: string) => void;
}

function OwnerChoice({ ownerId, onChoose }: OwnerChoiceProps) {
  const texts = useTexts();
  const id = useId();
  const assignees = useAssignees();
  return (
    <Select
      id={id}
      label={texts("exceptions.assignTo")}
      value={ownerId}
      onChange={onChoose}
      options={[
        ...assignees.map((owner) => ({ value: owner.id, label: ownerText(texts, owner) })),
        { value: "", label: texts("exceptions.nobody") },
      ]}
    />
  );
}

interface NotesProps {
  readonly notes: string;
  readonly length: number;
  readonly onChange: (notes: string) => void;
}

function Notes({ notes, length, onChange }: NotesProps) {
  const texts = useTexts();
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {texts("exceptions.notesForAll")}
      </label>
      <textarea
        id={id}
        rows={3}
        required
        value={notes}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={length > LONGEST_REASON || undefined}
        aria-describedby={`${id}-note`}
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-sm hover:border-ink"
        data-first-focus=""
      />
      <p id={`${id}-note`} className={length > LONGEST_REASON ? "text-xs text-bad" : "caption"}>
        {texts("exceptions.notesForAllHint", { length, longestReason: LONGEST_REASON })}
      </p>
    </div>
  );
}

interface OutcomeProps {
  readonly result: Result | undefined;
  readonly words: { readonly done: string; readonly notDone: string };
}

function Outcome({ result, words }: OutcomeProps) {
  if (!result) return null;
  const Icon = result.done ? CircleCheck : CircleX;
  return (
    <>
      <Icon className={`mt-0.5 size-4.5 shrink-0 ${result.done ? "text-good" : "text-bad"}`} aria-hidden="true" />
      <span className="sr-only">{result.done ? `${words.done}:` : words.notDone}</span>
    </>
  );
}

function Refusal({ result }: { readonly result: Result | undefined }) {
  if (!result || result.done) return null;
  return <span className="block text-xs text-bad">{result.message}</span>;
}
