"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { EndpointForm } from "./endpoint-form";
import { SecretOnce } from "./secret-once";

export default function CreateEndpointDialog({ onClose }: { readonly onClose: () => void }) {
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
      <Dialog title="Endpoint added" onClose={onClose}>
        <SecretOnce secret={create.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={`Add an endpoint in ${environment}`} onClose={onClose}>
      <EndpointForm
        action={["Add endpoint", "Adding…"]}
        refusal={create.error ? failureOf(create.error).message : null}
        isPending={create.isPending}
        onSubmit={(terms) => create.mutate({ environment, ...terms })}
        onClose={onClose}
      />
    </Dialog>
  );
}
