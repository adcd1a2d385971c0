// "Send me this one": an example of the event, sent now to an endpoint of the reader's choice.
"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { EventType } from "@/server/domain/events";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { TestOutcome } from "./test-outcome";

export function SendExample({ type }: { readonly type: EventType }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const selectId = useId();
  const { data } = useQuery(trpc.webhookEndpoints.list.queryOptions({ environment }));
  const [chosen, setChosen] = useState<string | null>(null);
  const test = useMutation(trpc.webhookEndpoints.test.mutationOptions());
  const endpoints = data?.endpoints ?? [];
  const endpoint = endpoints.find(({ id }) => id === chosen) ?? endpoints[0];
  if (!endpoint) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={selectId} className="sr-only">
          {texts("webhooks.endpoint")}
        </label>
        <select
          id={selectId}
          value={endpoint.id}
          onChange={(event) => setChosen(event.target.value)}
          className="min-h-10 max-w-full min-w-0 grow truncate rounded-md border border-line-strong bg-surface px-2.5 font-mono text-xs hover:border-ink sm:max-w-96"
        >
          {endpoints.map(({ id, url }) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
        </select>
        <Button
          size="medium"
          aria-disabled={test.isPending || undefined}
          onClick={() => test.isPending || test.mutate({ environment, id: endpoint.id, type })}
        >
          {test.isPending ? texts("webhooks.waitingForTheResponse") : texts("webhooks.sendMeThisOne")}
        </Button>
      </div>
      {test.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, test.error).message}
        </Notice>
      ) : null}
      {test.data && !test.isPending ? <TestOutcome tested={test.data} /> : null}
    </div>
  );
}
