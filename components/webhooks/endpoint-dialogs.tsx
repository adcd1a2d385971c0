// Confirms that an endpoint's secret is rotated, its events are replayed, or it is deleted.
"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { Question } from "../trpc/question";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { SecretOnce } from "./secret-once";
import type { EndpointChanges } from "./use-endpoint-changes";

interface EndpointDialogProps {
  readonly id: string;
  readonly url: string;
  readonly changes: EndpointChanges;
  readonly onClose: () => void;
}

export function RotateDialog({ id, changes: { rotate, environment }, onClose }: EndpointDialogProps) {
  const texts = useTexts();
  if (rotate.data?.secret) {
    return (
      <Dialog title={texts("webhooks.secretRotated")} onClose={onClose}>
        <SecretOnce secret={rotate.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Question
      title={texts("webhooks.rotateTitle")}
      act={texts("webhooks.rotateSecret")}
      isSending={rotate.isPending}
      error={rotate.error}
      onAct={() => rotate.mutate({ environment, id })}
      onClose={onClose}
    >
      <p className="text-sm">{texts("webhooks.rotateEffect")}</p>
    </Question>
  );
}

export function DeleteDialog({ id, url, changes: { remove, environment }, onClose }: EndpointDialogProps) {
  const texts = useTexts();
  const router = useRouter();
  const onAct = () =>
    remove.mutate({ environment, id }, { onSuccess: () => router.replace(`/${environment}/webhooks/endpoints`) });
  return (
    <Question
      title={texts("webhooks.deleteTitle")}
      act={texts("webhooks.deleteEndpoint")}
      isDangerous
      isSending={remove.isPending || remove.isSuccess}
      error={remove.error}
      onAct={onAct}
      onClose={onClose}
    >
      <p className="text-sm wrap-anywhere">
        {texts.rich("webhooks.deleteEffect", { strong: (words) => <strong>{words}</strong>, url })}
      </p>
    </Question>
  );
}

/** A day ago, in the format of a local time input. */
function yesterday(): string {
  const at = new Date(Date.now() - 86_400_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function ReplayDialog({ id, changes: { replay, environment }, onClose }: EndpointDialogProps) {
  const texts = useTexts();
  const [since, setSince] = useState(yesterday);
  const onAct = () =>
    replay.mutate({ environment, endpoint_id: id, since: new Date(since).toISOString() }, { onSuccess: onClose });
  return (
    <Question
      title={texts("webhooks.resendMissedEvents")}
      act={texts("webhooks.resend")}
      isDisabled={since === ""}
      isSending={replay.isPending}
      error={replay.error}
      onAct={onAct}
      onClose={onClose}
    >
      <p className="text-sm">{texts("webhooks.replayEffect")}</p>
      <Field
        id="replay-since"
        label={texts("webhooks.since")}
        type="datetime-local"
        hint={texts("webhooks.sinceHint")}
        value={since}
        onChange={(event) => setSince(event.target.value)}
      />
    </Question>
  );
}
