"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { MAXIMUM_RULES } from "@/server/domain/approval-policy";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Notice } from "../ui/notice";
import { Select } from "../ui/select";
import { draftOf, emptyRule, readDraft } from "./draft";
import type { PolicyView } from "./policy";
import { countsIn, RuleFields } from "./rule-fields";

interface ProposeDialogProps {
  readonly view: PolicyView;
  readonly onClose: () => void;
}

export default function ProposeDialog({ view, onClose }: ProposeDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [draft, setDraft] = useState(() => draftOf(texts, view.active.policy));
  const [fault, setFault] = useState<string | null>(null);
  const propose = useMutation(
    trpc.approvalPolicies.propose.mutationOptions({
      onSuccess: ({ version }) => {
        announce(texts("policies.versionProposed", { version }));
        onClose();
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.approvalPolicies.show.queryKey() }),
    }),
  );
  const complaint = fault ?? (propose.error ? failureOf(texts, propose.error).message : null);
  const { rules } = draft;

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (propose.isPending) return;
    const policy = readDraft(texts, draft);
    setFault("fault" in policy ? policy.fault : null);
    if ("fault" in policy) return;
    propose.mutate({ environment, policy: { ...policy, rules: [...policy.rules] } });
  }

  return (
    <Dialog title={texts("policies.proposeTitle", { environment })} onClose={onClose}>
      <form onSubmit={onSubmit} className="grid gap-4">
        {rules.map((rule, index) => (
          <RuleFields
            key={rule.key}
            number={index + 1}
            rule={rule}
            currencies={view.currencies}
            onChange={(next) =>
              setDraft({ ...draft, rules: rules.map((other) => (other.key === next.key ? next : other)) })
            }
            onRemove={() => setDraft({ ...draft, rules: rules.filter((other) => other.key !== rule.key) })}
          />
        ))}
        {rules.length < MAXIMUM_RULES ? (
          <Button
            size="medium"
            className="justify-self-start"
            onClick={() => setDraft({ ...draft, rules: [...rules, emptyRule(rules)] })}
          >
            <Plus className="size-4" aria-hidden="true" />
            {texts("policies.addARule")}
          </Button>
        ) : null}
        <Select
          id="policy-otherwise"
          label={rules.length === 0 ? texts("policies.everyPayoutAsksFor") : texts("policies.otherwise")}
          options={countsIn(texts)}
          value={String(draft.otherwise)}
          onChange={(count) => setDraft({ ...draft, otherwise: Number(count) })}
        />
        <p className="caption">{texts("policies.rulesHint")}</p>
        {complaint ? (
          <Notice tone="bad" role="alert">
            {complaint}
          </Notice>
        ) : null}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="medium" onClick={onClose}>
            {texts("policies.close")}
          </Button>
          <Button size="medium" tone="primary" type="submit" aria-disabled={propose.isPending || undefined}>
            {propose.isPending ? texts("policies.proposing") : texts("policies.propose")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
