"use client";
import type { NotificationType } from "@/server/domain/notification";
import { failureOf } from "../trpc/failure";
import { Dialog } from "../ui/dialog";
import { SecretOnce } from "../webhooks/secret-once";
import { RegistrationForm } from "./registration-form";
import { type Registration, useRegistrations } from "./use-registrations";

interface CreateDialogProps {
  readonly types: readonly NotificationType[];
  readonly canMail: boolean;
  readonly onClose: () => void;
}

export function CreateDialog({ types, canMail, onClose }: CreateDialogProps) {
  const { environment, create } = useRegistrations();
  if (create.data?.secret) {
    return (
      <Dialog title="Webhook added" onClose={onClose}>
        <SecretOnce secret={create.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={`Add notifications in ${environment}`} onClose={onClose}>
      <RegistrationForm
        types={types}
        channels={canMail ? ["mail", "slack", "webhook"] : ["slack", "webhook"]}
        action={["Add", "Adding…"]}
        refusal={create.error ? failureOf(create.error).message : null}
        isPending={create.isPending}
        onSubmit={(terms, destination) =>
          create.mutate(
            { environment, ...terms, ...destination },
            { onSuccess: ({ secret }) => (secret === null ? onClose() : undefined) },
          )
        }
        onClose={onClose}
      />
    </Dialog>
  );
}

interface EditDialogProps {
  readonly registration: Registration;
  readonly types: readonly NotificationType[];
  readonly onClose: () => void;
}

/** The destination stays; another one is another registration. */
export function EditDialog({ registration, types, onClose }: EditDialogProps) {
  const { environment, update } = useRegistrations();
  return (
    <Dialog title="Change notifications" onClose={onClose}>
      <RegistrationForm
        types={types}
        channels={[registration.channel]}
        terms={registration}
        action={["Save", "Saving…"]}
        refusal={update.error ? failureOf(update.error).message : null}
        isPending={update.isPending}
        onSubmit={(terms) => update.mutate({ environment, id: registration.id, ...terms }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}
