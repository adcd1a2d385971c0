"use client";
import type { NotificationType } from "@/server/domain/notification";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { environment, create } = useRegistrations();
  if (create.data?.secret) {
    return (
      <Dialog title={texts("notifications.webhookAdded")} onClose={onClose}>
        <SecretOnce secret={create.data.secret} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts("notifications.addNotificationsInEnvironment", { environment })} onClose={onClose}>
      <RegistrationForm
        types={types}
        channels={canMail ? ["mail", "slack", "webhook"] : ["slack", "webhook"]}
        action={[texts("notifications.add"), texts("notifications.adding")]}
        refusal={create.error ? failureOf(texts, create.error).message : null}
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
  const texts = useTexts();
  const { environment, update } = useRegistrations();
  return (
    <Dialog title={texts("notifications.changeNotifications")} onClose={onClose}>
      <RegistrationForm
        types={types}
        channels={[registration.channel]}
        terms={registration}
        action={[texts("notifications.save"), texts("notifications.saving")]}
        refusal={update.error ? failureOf(texts, update.error).message : null}
        isPending={update.isPending}
        onSubmit={(terms) => update.mutate({ environment, id: registration.id, ...terms }, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}
