// The buttons of an endpoint, and the result of a test.
"use client";
import { lazy, Suspense, useState } from "react";
import type { EndpointResource } from "@/server/contract/webhooks";
import { EVENT_TYPES, type EventType } from "@/server/domain/events";
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { TestOutcome } from "./test-outcome";
import { useEndpointChanges } from "./use-endpoint-changes";

const EditDialog = lazy(() => import("./edit-endpoint-dialog"));
const RotateDialog = lazy(async () => ({ default: (await import("./endpoint-dialogs")).RotateDialog }));
const ReplayDialog = lazy(async () => ({ default: (await import("./endpoint-dialogs")).ReplayDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import("./endpoint-dialogs")).DeleteDialog }));

type Open = "edit" | "rotate" | "replay" | "delete";

export function EndpointActions({ endpoint }: { readonly endpoint: EndpointResource }) {
  const texts = useTexts();
  const { id, url, state } = endpoint;
  const changes = useEndpointChanges(id);
  const [open, setOpen] = useState<Open | null>(null);
  const [type, setType] = useState<EventType>("payment_intent.succeeded");
  const { tested, failure } = changes;
  const isEnabled = state === "enabled";
  const show = (dialog: Open) => {
    changes.edit.reset();
    changes.rotate.reset();
    changes.replay.reset();
    setOpen(dialog);
  };
  const dialog = { id, url, changes, onClose: () => setOpen(null) };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <select
          aria-label={texts("webhooks.testEventType")}
          value={type}
          onChange={(event) => setType(EVENT_TYPES.find((one) => one === event.target.value) ?? type)}
          className="min-h-10 max-w-full min-w-0 truncate rounded-md border border-line-strong bg-surface px-2.5 font-mono text-xs hover:border-ink"
        >
          {EVENT_TYPES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
        <Button
          size="medium"
          tone="primary"
          aria-disabled={changes.isTesting || undefined}
          onClick={() => changes.isTesting || changes.test(type)}
        >
          {changes.isTesting ? texts("webhooks.waitingForItsAnswer") : texts("webhooks.sendATestEvent")}
        </Button>
        <Button
          size="medium"
          aria-disabled={changes.isChanging || undefined}
          onClick={() => changes.isChanging || changes.setState(isEnabled ? "paused" : "enabled")}
        >
          {isEnabled ? texts("webhooks.pause") : texts("webhooks.enable")}
        </Button>
        <Button size="medium" onClick={() => show("edit")}>
          {texts("webhooks.edit")}
        </Button>
        <Button size="medium" onClick={() => show("replay")}>
          {texts("webhooks.replay")}
        </Button>
        <Button size="medium" onClick={() => show("rotate")}>
          {texts("webhooks.openRotateSecret")}
        </Button>
        <Button size="medium" tone="danger" onClick={() => show("delete")}>
          {texts("webhooks.delete")}
        </Button>
      </div>
      {failure ? (
        <Notice tone="bad" role="alert">
          {failure.message}
        </Notice>
      ) : null}
      {tested && !changes.isTesting ? <TestOutcome tested={tested} /> : null}
      <Suspense>
        {open === "edit" ? <EditDialog endpoint={endpoint} changes={changes} onClose={dialog.onClose} /> : null}
        {open === "rotate" ? <RotateDialog {...dialog} /> : null}
        {open === "replay" ? <ReplayDialog {...dialog} /> : null}
        {open === "delete" ? <DeleteDialog {...dialog} /> : null}
      </Suspense>
    </div>
  );
}
