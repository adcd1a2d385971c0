"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTRPC } from "../trpc/client";
import { Question } from "../trpc/question";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { CodeField } from "./code-field";
import { STEP_UP_WORDS } from "./step-up-words";

const EnrolDialog = lazy(() => import("./enrol-dialog"));

export function TotpPanel() {
  const trpc = useTRPC();
  const [open, setOpen] = useState<"enrol" | "remove" | null>(null);
  const { data } = useQuery(trpc.account.totp.queryOptions());
  const close = () => setOpen(null);
  // The frame of the page was rendered for a session without a role.
  const leaveEnrolment = () => (data?.must_enrol === true ? window.location.assign("/dashboard") : close());
  return (
    <Panel className="grid gap-4">
      <h2 className="flex flex-wrap items-center justify-between gap-3 text-lg">
        One-time codes
        {data?.is_set_up === true ? <Badge tone="good" Icon={CircleCheck} label="Set up" /> : null}
        {data?.is_set_up === false ? <Badge tone="over" Icon={CircleSlash} label="Not set up" /> : null}
      </h2>
      <p className="text-sm text-ink-soft">
        A code of an authenticator app beside your password, asked for when you sign in
        {data && data.required_for.length > 0
          ? `, and by your merchant for ${data.required_for.map((act) => STEP_UP_WORDS[act] ?? act).join(" and ")}.`
          : "."}
      </p>
      {data?.must_enrol === true ? (
        <Notice tone="bad">Your merchant requires one-time codes to sign in. Set them up to go on.</Notice>
      ) : null}
      {data ? (
        <Button
          size="medium"
          className="justify-self-start"
          tone={data.is_set_up ? "danger" : "primary"}
          onClick={() => setOpen(data.is_set_up ? "remove" : "enrol")}
        >
          {data.is_set_up ? "Remove…" : "Set up"}
        </Button>
      ) : null}
      <Suspense>{open === "enrol" ? <EnrolDialog onClose={leaveEnrolment} /> : null}</Suspense>
      {open === "remove" ? <RemoveDialog onClose={close} /> : null}
    </Panel>
  );
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
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
      title="Take one-time codes away?"
      act="Remove"
      isDangerous
      isDisabled={code.trim() === ""}
      isSending={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ code })}
      onClose={onClose}
    >
      <p className="text-sm">
        Your password alone signs you in then. What your merchant asks a code for is closed to you.
      </p>
      <CodeField code={code} onChange={setCode} />
    </Question>
  );
}
