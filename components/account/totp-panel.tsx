"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { CodeField } from "./code-field";
import { stepUpWordsIn } from "./step-up-words";

const EnrolDialog = lazy(() => import("./enrol-dialog"));

export function TotpPanel() {
  const texts = useTexts();
  const trpc = useTRPC();
  const [open, setOpen] = useState<"enrol" | "remove" | null>(null);
  const { data } = useQuery(trpc.account.totp.queryOptions());
  const close = () => setOpen(null);
  // The frame of the page was rendered for a session without a role.
  const leaveEnrolment = () => (data?.must_enrol === true ? window.location.assign("/dashboard") : close());
  return (
    <Panel className="grid gap-4">
      <h2 className="flex flex-wrap items-center justify-between gap-3 text-lg">
        {texts("account.oneTimeCodes")}
        {data?.is_set_up === true ? <Badge tone="good" Icon={CircleCheck} label={texts("account.setUp")} /> : null}
        {data?.is_set_up === false ? <Badge tone="over" Icon={CircleSlash} label={texts("account.notSetUp")} /> : null}
      </h2>
      <p className="text-sm text-ink-soft">
        {texts("account.codesAbout")}
        {data && data.required_for.length > 0
          ? texts("account.codesRequiredFor", {
              requiredFor: data.required_for.map((act) => stepUpWordsIn(texts)[act] ?? act).join(texts("account.and")),
            })
          : "."}
      </p>
      {data?.must_enrol === true ? <Notice tone="bad">{texts("account.codesRequiredToSignIn")}</Notice> : null}
      {data ? (
        <Button
          size="medium"
          className="justify-self-start"
          tone={data.is_set_up ? "danger" : "primary"}
          onClick={() => setOpen(data.is_set_up ? "remove" : "enrol")}
        >
          {data.is_set_up ? texts("account.openRemove") : texts("account.setUp")}
        </Button>
      ) : null}
      <Suspense>{open === "enrol" ? <EnrolDialog onClose={leaveEnrolment} /> : null}</Suspense>
      {open === "remove" ? <RemoveDialog onClose={close} /> : null}
    </Panel>
  );
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [code, setCode] = useState("");
  const remove = useMutation(
    trpc.account.removeTotp.mutationOptions({
      onSuccess: onClose,
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.account.totp.queryKey() }),
    }),
  );
  return (
    <Question
      title={texts("account.removeCodesTitle")}
      act={texts("account.remove")}
      isDangerous
      isDisabled={code.trim() === ""}
      isSending={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ code })}
      onClose={onClose}
    >
      <p className="text-sm">{texts("account.removeCodesEffect")}</p>
      <CodeField code={code} onChange={setCode} />
    </Question>
  );
}
