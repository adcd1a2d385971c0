"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
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
      <Dialog title={texts("keys.keyCreated")} onClose={onClose}>
        <PairOnce publicKey={publicKey} secretKey={secretKey} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts("keys.createAEnvironmentKey", { environment })} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        <Field
          id="key-name"
          label={texts("keys.name")}
          required
          maxLength={100}
          data-first-focus=""
          autoComplete="off"
          placeholder={texts("keys.webShop")}
          hint={texts("keys.nameHint")}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <LimitFields draft={limits} onChange={setLimits} />
        {approvers.data?.count === 0 ? <Notice tone="plain">{texts("keys.secondApproverWarning")}</Notice> : null}
        <FormEnd
          refusal={create.error ? failureOf(texts, create.error).message : null}
          onClose={onClose}
          action={[texts("keys.createKey"), texts("keys.creating")]}
          isPending={create.isPending}
          isIncomplete={scopesOf(limits)?.length === 0}
        />
      </form>
    </Dialog>
  );
}
