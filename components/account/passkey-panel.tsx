// The member's passkeys: a list, adding one, and removing one.
"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Question } from "../trpc/question";
import { useAnnounce } from "../ui/announcer";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";

const AddPasskeyDialog = lazy(() => import("./add-passkey-dialog"));

interface Removable {
  readonly id: string;
  readonly name: string;
}

export function PasskeyPanel() {
  const texts = useTexts();
  const trpc = useTRPC();
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Removable | null>(null);
  const { data, error } = useQuery(trpc.account.passkeys.queryOptions());
  return (
    <Panel className="grid gap-4">
      <h2 className="text-lg">{texts("account.passkeys")}</h2>
      <p className="text-sm text-ink-soft">{texts("account.passkeysAbout")}</p>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data && data.passkeys.length > 0 ? (
        <ul className="grid gap-3">
          {data.passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
              <span className="min-w-0">
                <span className="block font-medium break-words">{passkey.name}</span>
                <span className="text-ink-soft">
                  {texts.rich("account.added", { localTime: () => <LocalTime iso={passkey.created_at} /> })}
                  <LastUse at={passkey.last_used_at} />
                </span>
              </span>
              <Button
                size="small"
                aria-label={texts("account.removeName", { name: passkey.name })}
                onClick={() => setRemoving(passkey)}
              >
                {texts("account.openRemove")}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {data ? (
        <Button
          size="medium"
          className="justify-self-start"
          tone={data.passkeys.length > 0 ? "secondary" : "primary"}
          onClick={() => setAdding(true)}
        >
          {texts("account.openAddPasskey")}
        </Button>
      ) : null}
      <Suspense>{isAdding ? <AddPasskeyDialog onClose={() => setAdding(false)} /> : null}</Suspense>
      {removing ? <RemoveDialog passkey={removing} onClose={() => setRemoving(null)} /> : null}
    </Panel>
  );
}

function RemoveDialog({ passkey, onClose }: { readonly passkey: Removable; readonly onClose: () => void }) {
  const texts = useTexts();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const remove = useMutation(
    trpc.account.removePasskey.mutationOptions({
      onSuccess: () => {
        announce(texts("account.thePasskeyIsRemoved"));
        onClose();
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.account.passkeys.queryKey() }),
    }),
  );
  return (
    <Question
      title={texts("account.removeTitle", { name: passkey.name })}
      act={texts("account.remove")}
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ id: passkey.id })}
      onClose={onClose}
    >
      <p className="text-sm">{texts("account.removeEffect")}</p>
    </Question>
  );
}

function LastUse({ at }: { readonly at: string | null }) {
  const texts = useTexts();
  if (at === null) return texts("account.notUsedYet");
  return texts.rich("account.lastUsed", { localTime: () => <LocalTime iso={at} /> });
}
