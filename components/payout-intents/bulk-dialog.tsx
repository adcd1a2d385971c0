// Approves several payouts: confirms the sums, then shows each result.
"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { type Payout, sumAndRecipient } from "./payout";
import { sumsOf } from "./sums";

interface BulkDialogProps {
  readonly payouts: readonly Payout[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export default function BulkDialog({ payouts, onClose, onDone }: BulkDialogProps) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const approve = useMutation(
    trpc.payoutIntents.approveMany.mutationOptions({
      onSettled() {
        onDone();
        void queries.invalidateQueries({ queryKey: trpc.payoutIntents.waiting.queryKey() });
      },
    }),
  );
  const results = approve.data;
  const title = results ? resultTitle(results) : `Approve ${payouts.length} payouts?`;
  return (
    <Dialog title={title} onClose={onClose}>
      {results ? null : (
        <p className="figures text-sm">
          In all <strong>{sumsOf(payouts).join(", ")}</strong> will be sent. Each is approved on its own: one that has
          moved on meanwhile keeps nobody from the others.
        </p>
      )}
      <ul className="grid max-h-72 overflow-y-auto rounded-md border border-line px-3.5 text-sm">
        {payouts.map((payout) => (
          <li key={payout.id} className="figures flex gap-2.5 border-t border-line py-2 first:border-t-0">
            <Outcome result={results?.find(({ id }) => id === payout.id)} />
            <span className="min-w-0 wrap-anywhere">
              {sumAndRecipient(payout)}
              <Refusal result={results?.find(({ id }) => id === payout.id)} />
            </span>
          </li>
        ))}
      </ul>
      {approve.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(approve.error).message}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-2">
        <Button size="medium" data-first-focus="" onClick={onClose}>
          {results ? "Close" : "Not now"}
        </Button>
        {results ? null : (
          <Button
            size="medium"
            tone="primary"
            aria-disabled={approve.isPending || undefined}
            onClick={() => approve.mutate({ environment, payouts: payouts.map(({ id, digest }) => ({ id, digest })) })}
          >
            {approve.isPending ? "Approving…" : `Approve ${payouts.length} payouts`}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface Result {
  readonly id: string;
  readonly approved: boolean;
  readonly message?: string;
}

function resultTitle(results: readonly Result[]): string {
  const approved = results.filter((result) => result.approved).length;
  return `${approved} of ${results.length} approved`;
}

function Outcome({ result }: { readonly result: Result | undefined }) {
  if (!result) return null;
  const Icon = result.approved ? CircleCheck : CircleX;
  return (
    <>
      <Icon className={`mt-0.5 size-4.5 shrink-0 ${result.approved ? "text-good" : "text-bad"}`} aria-hidden="true" />
      <span className="sr-only">{result.approved ? "Approved:" : "Not approved:"}</span>
    </>
  );
}

function Refusal({ result }: { readonly result: Result | undefined }) {
  if (!result || result.approved) return null;
  return <span className="block text-xs text-bad">{result.message}</span>;
}
