"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useDays } from "../lists/day-bounds";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { FormEnd } from "../ui/form-end";
import { Notice } from "../ui/notice";
import { LimitFields } from "./limit-fields";
import { NO_DRAFT, readLimits, scopesOf } from "./limits-draft";
import { PairOnce } from "./pair-once";

export default function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { endOfDay } = useDays();
  const [name, setName] = useState("");
  const [limits, setLimits] = useState(NO_DRAFT);
  const approvers = useQuery(trpc.apiKeys.otherApprovers.queryOptions({ environment }));
  const create = useMutation(
    trpc.apiKeys.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.apiKeys.list.queryKey() }),
    }),
  );

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!create.isPending) create.mutate({ environment, name: name.trim(), ...readLimits(limits, endOfDay) });
  }

  if (create.data) {
    const { public_key: publicKey, secret_key: secretKey } = create.data;
    return (
      <Dialog title="Key created" onClose={onClose}>
        <PairOnce publicKey={publicKey} secretKey={secretKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={`Create a ${environment} key`} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="key-name"
          label="Name"
          required
          maxLength={100}
          data-first-focus=""
          autoComplete="off"
          placeholder="Web shop"
          hint="Say what uses it: it stands in logs and in the audit log."
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <LimitFields draft={limits} onChange={setLimits} />
        {approvers.data?.count === 0 ? (
          <Notice tone="plain">
            Invite a second approver: you cannot approve payouts made with a key that you created, and nobody else can
            yet.
          </Notice>
        ) : null}
        <FormEnd
          refusal={create.error ? failureOf(create.error).message : null}
          onClose={onClose}
          action={["Create key", "Creating…"]}
          isPending={create.isPending}
          isIncomplete={scopesOf(limits)?.length === 0}
        />
      </form>
    </Dialog>
  );
}
