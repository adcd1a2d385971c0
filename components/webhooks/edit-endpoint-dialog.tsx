"use client";
import type { EndpointResource } from "@/server/contract/webhooks";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { edit, environment } = changes;
  return (
    <Dialog title={texts("webhooks.editTheEndpoint")} onClose={onClose}>
      <p className="mb-4 text-sm">{texts("webhooks.editEffect")}</p>
      <EndpointForm
        terms={endpoint}
        action={[texts("webhooks.save"), texts("webhooks.saving")]}
        refusal={edit.error ? failureOf(texts, edit.error).message : null}
        isPending={edit.isPending}
        onSubmit={(terms) => edit.mutate({ environment, id: endpoint.id, ...terms }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}
