// Confirms that an endpoint's secret is rotated, its events are replayed, or it is deleted.
"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
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
  if (rotate.data?.secret) {
    return (
      <Dialog title="Secret rotated" onClose={onClose}>
        <SecretOnce secret={rotate.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Question
      title="Rotate the secret?"
      act="Rotate secret"
      isSending={rotate.isPending}
      error={rotate.error}
      onAct={() => rotate.mutate({ environment, id })}
      onClose={onClose}
    >
      <p className="text-sm">
        For 24 hours every delivery is signed with both secrets, so that your receiver can change over. A secret that
        was still in its 24 hours ends at once.
      </p>
    </Question>
  );
}

export function DeleteDialog({ id, url, changes: { remove, environment }, onClose }: EndpointDialogProps) {
  const router = useRouter();
  const onAct = () =>
    remove.mutate({ environment, id }, { onSuccess: () => router.replace(`/${environment}/webhooks/endpoints`) });
  return (
    <Question
      title="Delete this endpoint?"
      act="Delete endpoint"
      isDangerous
      isSending={remove.isPending || remove.isSuccess}
      error={remove.error}
      onAct={onAct}
      onClose={onClose}
    >
      <p className="text-sm wrap-anywhere">
        <strong>{url}</strong> is sent nothing any more, not even what waits for it now. This cannot be undone.
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
  const [since, setSince] = useState(yesterday);
  const onAct = () =>
    replay.mutate({ environment, endpoint_id: id, since: new Date(since).toISOString() }, { onSuccess: onClose });
  return (
    <Question
      title="Resend missed events?"
      act="Resend"
      isDisabled={since === ""}
      isSending={replay.isPending}
      error={replay.error}
      onAct={onAct}
      onClose={onClose}
    >
      <p className="text-sm">All failed, skipped or newly subscribed events since then, up to 5,000.</p>
      <Field
        id="replay-since"
        label="Since"
        type="datetime-local"
        hint="In your own time zone, at most 90 days ago."
        value={since}
        onChange={(event) => setSince(event.target.value)}
      />
    </Question>
  );
}
