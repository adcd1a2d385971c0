"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { EndpointForm } from "./endpoint-form";
import { SecretOnce } from "./secret-once";

export default function CreateEndpointDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const create = useMutation(
    trpc.webhookEndpoints.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.webhookEndpoints.list.queryKey() }),
    }),
  );
  if (create.data?.secret) {
    return (
      <Dialog title={texts("webhooks.endpointAdded")} onClose={onClose}>
        <SecretOnce secret={create.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts("webhooks.addTitle", { environment })} onClose={onClose}>
      <EndpointForm
        action={[texts("webhooks.addEndpoint"), texts("webhooks.adding")]}
        refusal={create.error ? failureOf(texts, create.error).message : null}
        isPending={create.isPending}
        onSubmit={(terms) => create.mutate({ environment, ...terms })}
        onClose={onClose}
      />
    </Dialog>
  );
}
