"use client";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { FormEnd } from "../ui/form-end";
import { Select } from "../ui/select";
import { policyKindsIn, policyWordsIn, type TopupPolicies, type TopupPolicy } from "./settings";
import { useSettingChange } from "./use-setting-change";

interface TopupPoliciesDialogProps {
  readonly present: TopupPolicies;
  readonly onClose: () => void;
}

const POLICIES = ["credit_actual", "hold", "refund"] as const satisfies readonly TopupPolicy[];

export default function TopupPoliciesDialog({ present, onClose }: TopupPoliciesDialogProps) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { overpayment, underpayment, late_payment: late } = present;
  const [wanted, setWanted] = useState<TopupPolicies>({ overpayment, underpayment, late_payment: late });
  const isLive = environment === "live";
  const change = useMutation(
    trpc.merchantSettings.changeTopupPolicies.mutationOptions(
      useSettingChange(isLive ? texts("settings.theTermsAreProposed") : texts("settings.theTermsAreChanged"), onClose),
    ),
  );
  const isSame = policyKindsIn(texts).every(({ kind }) => wanted[kind] === present[kind]);

  function onSubmit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!change.isPending) change.mutate({ environment, ...wanted });
  }

  return (
    <Dialog
      title={isLive ? texts("settings.proposeOtherTopupTerms") : texts("settings.changeTermsTitle")}
      onClose={onClose}
    >
      <form onSubmit={onSubmit} className="grid gap-4">
        {policyKindsIn(texts).map(({ kind, label }) => (
          <Select
            key={kind}
            id={`topup-${kind}`}
            label={label}
            options={POLICIES.filter((policy) => mayChoose(kind, policy, present)).map((policy) => ({
              value: policy,
              label: policyWordsIn(texts)[policy],
            }))}
            value={wanted[kind]}
            onChange={(value) => setWanted({ ...wanted, [kind]: value as TopupPolicy })}
          />
        ))}
        <p className="caption">{isLive ? texts("settings.termsAfterConfirmation") : texts("settings.termsAtOnce")}</p>
        <FormEnd
          refusal={change.error ? failureOf(texts, change.error).message : null}
          onClose={onClose}
          action={
            isLive
              ? [texts("settings.propose"), texts("settings.proposing")]
              : [texts("settings.changeTerms"), texts("settings.changing")]
          }
          isPending={change.isPending}
          isIncomplete={isSame}
        />
      </form>
    </Dialog>
  );
}

/** Only the operator lets late payments be credited. */
function mayChoose(kind: keyof TopupPolicies, policy: TopupPolicy, present: TopupPolicies): boolean {
  return kind !== "late_payment" || policy !== "credit_actual" || present.late_payment === "credit_actual";
}
