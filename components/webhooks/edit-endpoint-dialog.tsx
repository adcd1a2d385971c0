"use client";
import type { EndpointResource } from "@/server/contract/webhooks";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { EndpointForm } from "./endpoint-form";
import type { EndpointChanges } from "./use-endpoint-changes";

interface EditEndpointDialogProps {
  readonly endpoint: EndpointResource;
  readonly changes: EndpointChanges;
  readonly onClose: () => void;
}

export default function EditEndpointDialog({ endpoint, changes, onClose }: EditEndpointDialogProps) {
  const { edit, environment } = changes;
  return (
    <Dialog title="Edit the endpoint" onClose={onClose}>
      <p className="mb-4 text-sm">What waits for it now goes to the new URL too; its secret stays.</p>
      <EndpointForm
        terms={endpoint}
        action={["Save", "Saving…"]}
        refusal={edit.error ? failureOf(edit.error).message : null}
        isPending={edit.isPending}
        onSubmit={(terms) => edit.mutate({ environment, id: endpoint.id, ...terms }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}
