// The callback of an exception, with a button that applies it again.
"use client";
import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { PresentedException } from "@/server/trpc/exceptions";
import { useTexts } from "../i18n/use-texts";
import { Facts } from "../intents/facts";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { CodeBlock } from "../ui/code-block";
import { Notice } from "../ui/notice";
import { prettyJson } from "../ui/pretty-json";
import { useExceptionDecisions } from "./use-exception-decisions";

export default function Callback({ exception }: { readonly exception: PresentedException }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.exceptions.callback.queryOptions({ environment, id: exception.id }));
  const { applyCallback, unappliedBecause, failure, isSending } = useExceptionDecisions(exception, () => undefined);
  const stillUnapplied = unappliedBecause && texts("exceptions.notApplied", { unappliedBecause });
  const problem = failure?.message ?? stillUnapplied ?? (error && failureOf(texts, error).message);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {problem ? (
        <Notice tone="bad" role="alert">
          {problem}
        </Notice>
      ) : null}
      {data ? (
        <>
          <Facts
            facts={[
              [texts("exceptions.received"), <LocalTime key="received" iso={data.received_at} />],
              [texts("exceptions.lastResult"), data.result],
              [texts("exceptions.tries"), texts.number(data.attempts)],
            ]}
          />
          <CodeBlock title={texts("exceptions.callback")} code={prettyJson(data.body)} />
        </>
      ) : null}
      {exception.resolved_at === null ? (
        <Button
          size="medium"
          className="justify-self-start"
          aria-disabled={isSending || undefined}
          onClick={() => isSending || applyCallback()}
        >
          <RotateCw className="size-4" aria-hidden="true" />
          {texts("exceptions.applyAgain")}
        </Button>
      ) : null}
    </div>
  );
}
